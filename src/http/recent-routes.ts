import type { Result, Router } from "hono/router";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { SmartRouter } from "hono/router/smart-router";
import { TrieRouter } from "hono/router/trie-router";

/** The most paths whose routes are kept, and the longest of them in characters. */
const KEPT = { paths: 1_000, characters: 200 };

/**
 * Finds routes as Hono's own router does, and keeps those of the paths seen last: a program calls
 * the same few paths again and again.
 */
export class RecentRoutes<T> implements Router<T> {
  readonly name = "RecentRoutes";
  readonly #router = new SmartRouter<T>({ routers: [new RegExpRouter(), new TrieRouter()] });
  readonly #found = new Map<string, Result<T>>();

  add(method: string, path: string, handler: T): void {
    this.#router.add(method, path, handler);
  }

  match(method: string, path: string): Result<T> {
    const asked = `${method} ${path}`;
    const known = this.#found.get(asked);
    if (known) return known;
    const found = this.#router.match(method, path);
    if (path.length > KEPT.characters) return found;
    if (this.#found.size >= KEPT.paths) this.#found.clear();
    this.#found.set(asked, found);
    return found;
  }
}
