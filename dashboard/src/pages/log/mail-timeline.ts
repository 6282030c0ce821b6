import type { Api } from "../../api/client.ts";

/** Everything that is known about one mail. */
export type MailTimeline = Api.MailTimeline;
