/* Changes that fail after somebody left the page that would have shown it. */
import { MutationObserver, QueryClient } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import { PostriderError } from "../../client/src/index.ts";
import { watchUnseenFailures } from "../../dashboard/src/api/unseen-failures.ts";

/** Lets a change fail, before or after its page is left, and returns what was reported. */
async function reportsOf(error: Error, isLeft: boolean): Promise<string[]> {
  const client = new QueryClient();
  const reports: string[] = [];
  watchUnseenFailures(client.getMutationCache(), ({ message }) => reports.push(message));
  const { promise, reject } = Promise.withResolvers<never>();
  const page = new MutationObserver(client, { mutationFn: () => promise });
  const leave = page.subscribe(() => undefined);
  const change = page.mutate();
  if (isLeft) leave();
  reject(error);
  await expect(change).rejects.toThrow(error);
  leave();
  client.clear();
  return reports;
}

describe("a change that fails", () => {
  it("is reported when its page was left", async () => {
    const error = new PostriderError("the broadcast is done", "broadcast_is_done");
    expect(await reportsOf(error, true)).toEqual(["the broadcast is done"]);
  });

  it("is left to its page while that is shown", async () => {
    expect(await reportsOf(new PostriderError("no", "broadcast_is_done"), false)).toEqual([]);
  });

  it("is no failure when the page itself gave it up", async () => {
    expect(await reportsOf(new DOMException("left", "AbortError"), true)).toEqual([]);
  });
});
