import type { Api } from "../../api/client.ts";

export type Webhook = Api.Webhook;
