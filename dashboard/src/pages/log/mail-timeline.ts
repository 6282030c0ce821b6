import type { Client } from "../../api/client.ts";

/** Everything that is known about one mail. */
export type MailTimeline = Awaited<ReturnType<Client["projects"]["logs"]["get"]>>;
