import type { Mutation, MutationCache } from "@tanstack/react-query";
import { PostriderError } from "../../../client/src/errors.ts";

/**
 * Reports each change that fails when no page shows its outcome any more, because somebody left the
 * page while the change was on its way. A session that ended asks for the password by itself.
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
