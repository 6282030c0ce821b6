import type { Deps } from "../../../../deps.ts";
import { refusal } from "../../../../errors.ts";
import { fromBase64Url, toBase64Url } from "../../../../lib/encoding.ts";
import { seal, unseal } from "../../../../lib/seal.ts";
import type { Attachment } from "../../../../mail/mime-part.ts";
import type { SendNeeds } from "../single/send-facts.ts";
import type { SendInput } from "../single/send-input.ts";

/** A stored send. */
interface StoredSend extends WholeSend {
  /** True if it came with a test key. */
  isTest: boolean;
}

/** A send with the reads that it needs. */
export interface WholeSend {
  input: SendInput;
  needs: Omit<SendNeeds, "idempotencyKey">;
}

/** The largest send that is stored, in MiB of its JSON: a row of D1 has at most 2 MB. */
const MAX_MIB = 1;

/** A stored attachment: its words, and its content in base64url. */
type StoredFile = Omit<Attachment, "content"> & { content: string };

const contextOf = (id: string) => `scheduled:${id}`;

/** Encrypts a send. Throws scheduled_mail_too_large. */
export async function sealSend({ config }: Deps, id: string, send: StoredSend): Promise<string> {
  const text = JSON.stringify({ ...send, input: withFiles(send.input, toStored) });
  const max = MAX_MIB * 1_048_576;
  if (new TextEncoder().encode(text).length > max)
    throw refusal("scheduled_mail_too_large", { max: MAX_MIB });
  return seal(config.sealingKeys, text, contextOf(id));
}

/** Decrypts a send. Throws if no key opens it. */
export async function openSend({ config }: Deps, id: string, sealed: string): Promise<StoredSend> {
  const text = await unseal(config.sealingKeys, sealed, contextOf(id));
  const stored = JSON.parse(text) as StoredSend; // `sealSend` wrote it
  return { ...stored, input: withFiles(stored.input, fromStored) };
}

/** Returns a send with its attachments changed. */
function withFiles(input: SendInput, change: (files: Attachment[]) => unknown[]): SendInput {
  if (!("extras" in input)) return input;
  const attachments = change(input.extras.attachments) as Attachment[];
  return { ...input, extras: { ...input.extras, attachments } };
}

const toStored = (files: Attachment[]): StoredFile[] =>
  files.map((file) => ({ ...file, content: toBase64Url(file.content) }));

const fromStored = (files: unknown[]): Attachment[] =>
  (files as StoredFile[]).flatMap((file) => {
    const decoded = fromBase64Url(file.content);
    return decoded.ok ? [{ ...file, content: decoded.bytes }] : [];
  });
