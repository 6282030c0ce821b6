import type { Deps } from "../../deps.ts";
import { parseEmailAddress } from "../../mail/address.ts";
import { splitMail, valueOf } from "../../mail/sender-check/index.ts";
import { openReturnPaths } from "../tracking/index.ts";
import { logIdsOf } from "./claims.ts";

/** The log ids that identify a mail as sent by this service. */
interface OwnIds {
  ids: string[];
  /** The id that a valid token in the envelope sender proves. */
  proven: string | undefined;
}

/**
 * Reads the log ids of a mail from its Message-ID and from the token of its envelope sender,
 * because some servers replace the Message-ID. Callers check that the mail with this id was sent to
 * their address, because only its recipient knows the id.
 */
export async function ownIdsOf(deps: Deps, raw: Uint8Array, from = ""): Promise<OwnIds> {
  const { fields } = splitMail(raw);
  const valuesOf = (name: string) =>
    fields.filter((field) => field.name === name).map((field) => valueOf(field.raw));
  const messageIds = valuesOf("message-id").map((id) => id.replaceAll(/[<>]/g, ""));
  const senders = [from, ...valuesOf("return-path")].flatMap((sender) => {
    const address = parseEmailAddress(sender.replaceAll(/[<>]/g, ""));
    return address.ok ? [address.address] : [];
  });
  const proven = (await openReturnPaths(deps, senders))?.logId;
  const ids = [...logIdsOf({ messageIds }), ...(proven === undefined ? [] : [proven])];
  return { ids: [...new Set(ids)], proven };
}
