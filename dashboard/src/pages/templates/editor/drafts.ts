/*
 * Drafts: unsaved edits in local storage. Each open page has its own draft, so that two tabs do not
 * overwrite each other. A page holds a Web Lock while it is open; a draft without a lock was left
 * behind by a page that closed or crashed, and the next page of its template takes it over.
 */
import type { Fields } from "./template-fields.ts";

export interface Draft {
  fields: Fields;
  /** The service's version when editing started, with its ETag. */
  base: Fields;
  etag: string;
  savedAt: number;
}

const PREFIX = "postrider.draft";
const DRAFTS_MAX_AGE_MS = 30 * 86_400_000;

/** Storage key prefix of a user's drafts of a template. */
const placeOf = (userId: string, templateId: string) => `${PREFIX}.${userId}.${templateId}.`;

/** Stores a draft. Returns false if storage is full or blocked. */
function write(key: string, draft: Draft): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(draft));
    return true;
  } catch {
    return false; // the caller tells the user
  }
}

function read(key: string): Draft | undefined {
  try {
    const draft: unknown = JSON.parse(localStorage.getItem(key) ?? "");
    if (!isDraft(draft)) return undefined;
    const { fields, base } = draft;
    return { ...draft, fields: { ...UNSET, ...fields }, base: { ...UNSET, ...base } };
  } catch {
    return undefined; // not written by this page
  }
}

/** Fields that older drafts lack. */
const UNSET = { preheader: "", tracking: {} };

function isFields(value: unknown): value is Fields {
  if (typeof value !== "object" || value === null) return false;
  const fields: Record<string, unknown> = { ...value };
  return (
    ["name", "subject", "html_body", "text_body"].every(
      (name) => typeof fields[name] === "string",
    ) && typeof fields["public"] === "boolean"
  );
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== "object" || value === null) return false;
  const draft: Record<string, unknown> = { ...value };
  return (
    isFields(draft["fields"]) &&
    isFields(draft["base"]) &&
    typeof draft["etag"] === "string" &&
    typeof draft["savedAt"] === "number"
  );
}

const keys = () =>
  Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at) ?? "");

/** Returns the locks held by open pages; none if the Web Locks API is unavailable. */
async function heldLocks(): Promise<Set<string>> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return new Set(held.map(({ name }) => name ?? ""));
}

/** Access to one page's draft. */
export interface DraftKeeper {
  /** Stores a draft; returns false if the browser cannot. */
  keep: (draft: Draft) => boolean;
  drop: () => void;
  /** Releases the draft: the next page of the template takes it over. */
  close: () => void;
}

let turn: Promise<unknown> = Promise.resolve();

/**
 * Opens the draft storage of a page, sequentially. Returns the newest draft left by a closed page,
 * which now belongs to this page; undefined once the signal is aborted.
 */
export function openDrafts(
  userId: string,
  templateId: string,
  signal: AbortSignal,
): Promise<{ keeper: DraftKeeper; left: Draft | undefined } | undefined> {
  const opening = turn.then(async () => {
    const place = placeOf(userId, templateId);
    const key = place + crypto.randomUUID();
    const release = await holdLock(key);
    const held = await heldLocks();
    if (signal.aborted) {
      release();
      return undefined;
    }
    const keeper: DraftKeeper = {
      keep: (draft) => write(key, draft),
      drop: () => localStorage.removeItem(key),
      close: release,
    };
    return { keeper, left: takeOver(place, key, held) };
  });
  turn = opening.catch(() => undefined); // the caller gets the error
  return opening;
}

/** Holds a Web Lock until the returned function is called, or the page closes. */
async function holdLock(key: string): Promise<() => void> {
  const closing = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  if (!navigator.locks) return closing.resolve; // without https, tabs cannot be told apart
  void navigator.locks.request(key, () => {
    held.resolve();
    return closing.promise;
  });
  await held.promise;
  return closing.resolve;
}

/** Moves the newest draft without a lock to a new key, and returns it. */
function takeOver(place: string, key: string, held: Set<string>): Draft | undefined {
  removeOld();
  const [newest] = keys()
    .filter((one) => one.startsWith(place) && !held.has(one))
    .flatMap((from) => {
      const draft = read(from);
      return draft ? [{ from, draft }] : [];
    })
    .toSorted((one, other) => other.draft.savedAt - one.draft.savedAt);
  if (newest && write(key, newest.draft)) localStorage.removeItem(newest.from);
  return newest?.draft;
}

/** Removes drafts that are more than a month old. */
function removeOld(): void {
  for (const key of keys()) {
    if (!key.startsWith(`${PREFIX}.`)) continue;
    const draft = read(key);
    if (!draft || Date.now() - draft.savedAt > DRAFTS_MAX_AGE_MS) localStorage.removeItem(key);
  }
}
