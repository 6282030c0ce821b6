/* The templates that the settings offer as confirmation: the same ones that the service takes. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { printsConfirmation } from "../../dashboard/src/pages/settings/prints-confirmation.ts";
import { printsConfirmation as isTaken } from "../../src/mail/template/index.ts";

it.each([
  ["{{confirm_url}}", true],
  ['<a href="{{{ this.confirm_url ~}}}">Yes</a>', true],
  ["{{#if name}}{{@root.confirm_url}}{{/if}}", true],
  ["Write to confirm_url", false],
  ["<!-- {{confirm_url}} -->", false],
  ["{{!-- {{confirm_url}} --}}", false],
  [String.raw`\{{confirm_url}}`, false],
  ["{{#if confirm_url}}Yes{{/if}}", false],
  ["{{confirm_url_of_old}}", false],
  ["{{! no link yet }}{{confirm_url}}", true],
])("The settings offer %j as confirmation: %s, as the service does", (html, isOffered) => {
  expect([printsConfirmation(html), isTaken(html)]).toEqual([isOffered, isOffered]);
});

it("The settings offer no other templates as confirmation than the service takes", () => {
  const parts = ["{{", "}}", "{", "}", "~", "!", "--", "<!--", "-->", "\\", " ", "this.", "../"];
  const html = fc.array(fc.constantFrom("confirm_url", "{{confirm_url}}", "x", ...parts));
  fc.assert(
    fc.property(html, (pieces) => {
      const text = pieces.join("");
      expect(printsConfirmation(text)).toBe(isTaken(text));
    }),
  );
});
