import type { Mutation, MutationCache } from "@tanstack/react-query";
import { PostriderError } from "../../../client/src/errors.ts";

/**
 * Reports a mutation that fails after the user left the page that would have shown its outcome. A
 * session that ended already prompts for the password.
 */
export function watchUnseenFailures(
  cache: MutationCache,
  report: (error: PostriderError) => void,
): () => void {
  const shown = new WeakMap<Mutation, number>();
  const count = (mutation: Mutation, by: 1 | -1) =>
    shown.set(mutation, (shown.get(mutation) ?? 0) + by);
  return cache.subscribe((event) => {
    const { type, mutation } = event;
    if (!mutation) return;
    if (type === "observerAdded") count(mutation, 1);
    if (type === "observerRemoved") count(mutation, -1);
    if (type !== "updated" || event.action.type !== "error") return;
    const { error } = event.action;
    const isShown = (shown.get(mutation) ?? 0) > 0 || mutation.options.onError !== undefined;
    if (!isShown && error instanceof PostriderError && error.status !== 401) report(error);
  });
}
