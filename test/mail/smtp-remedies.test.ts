/* What the test of a mail server advises. */
import { expect, it } from "vitest";
import { mailRemedy } from "../../src/mail/diagnosis/remedies.ts";

it("suggests the remedy for a rejected client name, however late the rejection comes", () => {
  const error = "450 4.7.1 <postrider.test>: Helo command rejected: Host not found";
  const refused = { address: "ann@any.test", outcome: "deferred", phase: "rcpt", error } as const;
  expect(mailRemedy(refused).code).toBe("use_own_domain");
  const later = mailRemedy({ ...refused, error: "450 4.2.1 later" });
  expect(later.code).toBe("test_again");
});
