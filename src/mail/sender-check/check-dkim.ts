import { messageOf } from "../../messages/message.ts";
import { type CheckItem, itemOf, type Judged, judged, NOT_ANSWERED } from "./check-item.ts";
import { parseDkim } from "./parse-dkim.ts";
import type { SenderFacts, SignatureKey } from "./read-facts.ts";

const MIN_BITS = 1_024;
const GOOD_BITS = 2_048;

/** Checks the key of the wanted selector, or else the signature of the newest mail and its key. */
export function checkDkim({ domain, key, seenMail }: SenderFacts): CheckItem[] {
  const verdictOfKey = key && judgeKey(key);
  if (key && verdictOfKey && !key.signature)
    return [itemOf("dkim", domain, verdictOfKey, key.texts)];
  if (!seenMail) return [itemOf("dkim", domain, judged("unknown", "dkim_selector_unknown"))];
  const found = seenMail.signatures.map(
    (one) => `d=${one.domain} s=${one.selector}: ${one.verdict}`,
  );
  const [day = "", time = ""] = new Date(seenMail.seenAt).toISOString().slice(0, 16).split("T");
  if (found.length === 0)
    return [itemOf("dkim", domain, judged("problem", "mail_unsigned", { day, time }))];
  if (!key?.signature || !verdictOfKey)
    return [
      itemOf(
        "dkim",
        domain,
        judged("warning", "mail_signed_for_other", { day, time, domain }),
        found,
      ),
    ];
  const { verdict, selector } = key.signature;
  const mail = { day, time, domain: key.domain, selector };
  const { code, params = {}, explanation } = verdictOfKey;
  const judgedMail =
    verdict === "body_changed" || verdict === "wrong_key"
      ? judged("problem", `mail_${verdict}`, mail)
      : judged(verdictOfKey.verdict, verdict === "valid" ? "mail_signature_valid" : "mail_signed", {
          ...mail,
          key: messageOf(code, params, explanation),
        });
  return [itemOf("dkim", key.domain, judgedMail, [...found, ...(key.texts ?? [])])];
}

/** Judges the records of a selector. */
function judgeKey({ name, texts }: SignatureKey): Judged {
  if (!texts) return NOT_ANSWERED;
  const [text] = texts;
  if (text === undefined) return judged("problem", "dkim_key_missing", { name });
  if (texts.length > 1) return judged("problem", "dkim_key_several", { name });
  const key = parseDkim(text);
  if (key.kind === "revoked") return judged("problem", "dkim_key_revoked");
  if (key.kind === "broken") return judged("problem", "dkim_key_ignored");
  if (key.isTesting) return judged("warning", "dkim_key_testing");
  if (key.kind === "ed25519") return judged("warning", "dkim_key_ed25519");
  const { bits } = key;
  if (bits < MIN_BITS) return judged("problem", "dkim_key_too_short", { bits });
  if (bits < GOOD_BITS) return judged("warning", "dkim_key_short", { bits });
  return judged("ok", "dkim_key_found", { bits });
}
