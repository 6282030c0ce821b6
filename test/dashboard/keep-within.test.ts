/* The rows that a list of the dashboard shows while it loads others. */
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import { keepWithin } from "../../dashboard/src/api/keep-within.ts";

/** Loads the rows of one key, then shows another that does not answer yet. */
function rowsOnTheWay(from: unknown[], to: unknown[]) {
  const client = new QueryClient();
  const optionsOf = (queryKey: unknown[]) => ({
    queryKey,
    queryFn: () => new Promise<string[]>(() => undefined),
    placeholderData: keepWithin(queryKey),
  });
  client.setQueryData(from, ["ann"]);
  const observer = new QueryObserver(client, { ...optionsOf(from), staleTime: Infinity });
  const leave = observer.subscribe(() => undefined);
  observer.setOptions(optionsOf(to));
  const { data } = observer.getCurrentResult();
  leave();
  client.clear();
  return data;
}

describe("a list that loads", () => {
  it("keeps its rows while its broadcast changes its state", () => {
    const rows = rowsOnTheWay(
      ["one", { outcome: "failed" }, "sending"],
      ["one", { outcome: "failed" }, "sent"],
    );
    expect(rows).toEqual(["ann"]);
  });

  it.each([
    ["filter", ["one", { outcome: "sent" }, "sending"]],
    ["page", ["one", { outcome: "failed", after: "x" }, "sending"]],
    ["broadcast", ["two", { outcome: "failed" }, "sending"]],
  ])("shows no rows of another %s", (_, to) => {
    expect(rowsOnTheWay(["one", { outcome: "failed" }, "sending"], to)).toBeUndefined();
  });
});
