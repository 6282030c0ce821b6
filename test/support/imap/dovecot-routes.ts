import type { ControlRoute } from "../smtp/control-server.ts";
import type { DovecotServer } from "./dovecot-server.ts";

/** Routes of the control port for mailboxes, called by dovecot.ts. Bodies are base64. */
export function dovecotRoutes(dovecot: DovecotServer): Record<string, ControlRoute> {
  const folderOf = (query: URLSearchParams): [string, string] => [
    query.get("user") ?? "",
    query.get("folder") ?? "",
  ];
  return {
    "POST /dovecot/mailboxes": async () => dovecot.newMailbox(),
    "POST /dovecot/messages": async (query, body) => {
      dovecot.dropMessage(...folderOf(query), Buffer.from(body, "base64"));
      return {};
    },
    "GET /dovecot/messages": async (query) => dovecot.countMessages(...folderOf(query)),
  };
}
