import { Buffer } from "node:buffer";
import { sql } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import { logLine } from "../../lib/log-line.ts";
import { splitBySize } from "../../lib/split-by-size.ts";
import { queueOf } from "./own-queue.ts";
import { cutText } from "../../lib/cut-text.ts";

/** The maximum body size of a queue message; a larger one did not come from this service. */
const MAX_BODY_BYTES = 128 * 1_024;

/** The limit of one write: D1 accepts values up to 2 MB (documented). */
const WRITE_LIMIT = { items: 100, bytes: 1_000_000 };

/** JSON overhead of a letter in a write: its ids and names. */
const FRAME_BYTES = 500;

/**
 * The maximum number of unreplayed letters. After an outage there may be hundreds of thousands,
 * which would fill the database; the excess stays on the queue.
 */
const MAX_LETTERS = 5_000;

/** A message that no consumer could handle. */
export interface DeadMessage {
  id: string;
  /** The name of its own queue; undefined if only its body can tell. */
  queue: string | undefined;
  body: unknown;
}

/**
 * Stores messages as dead letters. Idempotent: each message is stored once, even if it arrives
 * repeatedly. Returns the ids of the stored ones; the others exceeded the limit. Costs one D1 round
 * trip per megabyte.
 */
export async function storeLetters(deps: Deps, messages: DeadMessage[]): Promise<Set<string>> {
  const letters = messages.map((message) => deadLetterOf(deps, message));
  const stored = new Set<string>();
  for (const part of splitBySize(letters, WRITE_LIMIT, ({ bytes, body }) => ({
    items: 1,
    bytes: FRAME_BYTES + (body === undefined ? 0 : bytes),
  })))
    for (const { messageId } of await storePart(deps, part)) stored.add(messageId);
  const queues = [...new Set(letters.map(({ queue, type }) => `${queue} ${type}`))].join(", ");
  const facts = { letters: letters.length, stored: stored.size, queues };
  logLine("error", "dead_letters", facts);
  return stored;
}

async function storePart({ db, now }: Deps, letters: StoredLetter[]) {
  const [, stored] = await runBatch(db, [
    db.run(
      sql`insert into dead_letters (id, message_id, queue, type, body, bytes, failed_at)
        select value ->> 'id', value ->> 'messageId', value ->> 'queue', value ->> 'type', value -> 'body',
          value ->> 'bytes', ${now()}
        from json_each(${JSON.stringify(letters)})
        where (select count(*) from dead_letters where replayed_at is null) < ${MAX_LETTERS}
        on conflict (message_id) do nothing`,
    ),
    db.all<{ messageId: string }>(
      sql`select message_id as "messageId" from dead_letters
        where message_id in (select value from json_each(${JSON.stringify(letters.map(({ messageId }) => messageId))}))`,
    ),
  ]);
  return stored;
}

/** A letter to insert. Its body is omitted if it cannot be stored. */
interface StoredLetter {
  id: string;
  messageId: string;
  queue: string;
  type: string;
  bytes: number;
  body: unknown;
}

function deadLetterOf(deps: Deps, { id: messageId, queue, body }: DeadMessage): StoredLetter {
  const json = jsonOf(body);
  const bytes = json === undefined ? 0 : Buffer.byteLength(json);
  const type = typeOf(body);
  const letter = { id: deps.newId(), messageId, queue: queue ?? queueOf(type), type, bytes };
  return { ...letter, body: json === undefined || bytes > MAX_BODY_BYTES ? undefined : body };
}

/**
 * Returns a body as JSON; undefined if it cannot be serialized, such as a cycle or a big integer.
 */
function jsonOf(body: unknown): string | undefined {
  try {
    return JSON.stringify(body);
  } catch {
    return undefined;
  }
}

const MAX_TYPE_CHARACTERS = 64;

function typeOf(body: unknown): string {
  const isTyped = typeof body === "object" && body !== null && "type" in body;
  return isTyped && typeof body.type === "string" ? cutText(body.type, MAX_TYPE_CHARACTERS) : "";
}
