import type { Api } from "../../api/client.ts";

/** Everything known about one mail. */
export type MailTimeline = Api.MailTimeline;
