import type { Client } from "../../api/client.ts";

/** Everything that is known of one mail. */
export type Story = Awaited<ReturnType<Client["projects"]["logs"]["get"]>>;
