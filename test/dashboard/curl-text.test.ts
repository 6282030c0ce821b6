/* The calls of the API that the dashboard shows for a terminal. */
import { expect, it } from "vitest";
import { curlText } from "../../dashboard/src/lib/curl-text.ts";

it("A call for a terminal keeps an apostrophe of an address within its quotes", () => {
  const text = curlText("https://mail.example/api/v1/send", "sk_1", { to: "o'neil@example.com" });
  expect(text).toBe(String.raw`curl https://mail.example/api/v1/send \
  -H 'Authorization: Bearer sk_1' \
  -H 'Content-Type: application/json' \
  -d '{"to":"o'\''neil@example.com"}'`);
});
