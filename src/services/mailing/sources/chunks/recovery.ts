import type { AddressOutcome } from "../../outcome.ts";
import type { MailFacts } from "../../record.ts";
import type { ChunkSource } from "./chunk-ledger.ts";

/** A source of a chunk whose sender died, with the mails of the recipients that it had begun. */
export interface Recovery {
  source: Pick<ChunkSource<{ id: string }>, "chunk" | "sortOut" | "record">;
  mails: Map<string, MailFacts>;
  /** The outcomes that are known without SMTP. */
  decided?: Map<string, AddressOutcome>;
}
