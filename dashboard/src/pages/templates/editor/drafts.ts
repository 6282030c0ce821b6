/*
 * Drafts: what somebody typed and has not saved, in the storage of the browser. Each open page has
 * a draft of its own, so two tabs do not overwrite each other. A page holds a lock of the browser
 * while it lives; a draft without one was left by a page that closed or crashed, and the next page
 * of its template takes it over.
 */
import type { Fields } from "./template-fields.ts";

export interface Draft {
  fields: Fields;
  /** The service's version from the time when the changes began, with its tag. */
  base: Fields;
  etag: string;
  savedAt: number;
}

const PREFIX = "postrider.draft";
const DRAFTS_MAX_AGE_MS = 30 * 86_400_000;

/** Where the drafts of a person's template are. */
const placeOf = (userId: string, templateId: string) => `${PREFIX}.${userId}.${templateId}.`;

/** Keeps a draft under its key. Returns false when the storage is full or closed. */
function write(key: string, draft: Draft): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(draft));
    return true;
  } catch {
    return false; // the caller says so to the reader
  }
}

function read(key: string): Draft | undefined {
  try {
    const draft: unknown = JSON.parse(localStorage.getItem(key) ?? "");
    return isDraft(draft) ? draft : undefined;
  } catch {
    return undefined; // not of this page
  }
}

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

/** Returns the locks that open pages hold; without the interface of locks, none. */
async function heldLocks(): Promise<Set<string>> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return new Set(held.map(({ name }) => name ?? ""));
}

/** The place of one page's draft. */
export interface DraftKeeper {
  /** Keeps a draft; returns false when the browser cannot. */
  keep: (draft: Draft) => boolean;
  drop: () => void;
  /** Gives the draft up: the next page of the template finds it. */
  close: () => void;
}

let turn: Promise<unknown> = Promise.resolve();

/**
 * Opens the place of a page's draft, one page after the other. Returns the newest draft that a
 * closed page left there, which is this page's from then on; undefined once the signal is aborted.
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
  turn = opening.catch(() => undefined); // the caller sees the error
  return opening;
}

/** Holds a lock of the browser until the returned function is called, or the page is gone. */
async function holdLock(key: string): Promise<() => void> {
  const closing = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  if (!navigator.locks) return closing.resolve; // a page without https: tabs are not told apart
  void navigator.locks.request(key, () => {
    held.resolve();
    return closing.promise;
  });
  await held.promise;
  return closing.resolve;
}

/** Moves the newest draft that no page holds to a key, and returns it. */
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

/** Removes drafts that nobody came back to for a month. */
function removeOld(): void {
  for (const key of keys()) {
    if (!key.startsWith(`${PREFIX}.`)) continue;
    const draft = read(key);
    if (!draft || Date.now() - draft.savedAt > DRAFTS_MAX_AGE_MS) localStorage.removeItem(key);
  }
}
