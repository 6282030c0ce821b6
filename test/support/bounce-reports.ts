/* Reports as they come into a bounce mailbox. */

const encoder = new TextEncoder();

function report(type: string, part: string, fields: string[], logId: string): Uint8Array {
  const lines = [
    "From: daemon@isp.test",
    "Subject: report",
    "MIME-Version: 1.0",
    `Content-Type: multipart/report; report-type=${type}; boundary="b"`,
    "",
    "--b",
    `Content-Type: ${part}`,
    "",
    ...fields,
    "",
    "--b",
    "Content-Type: text/rfc822-headers",
    "",
    `Message-ID: <${logId}@postrider.test>`,
    "",
    "--b--",
    "",
  ];
  return encoder.encode(lines.join("\r\n"));
}

/** Says that an address is unknown; without a log id it proves nothing. */
export const failureReport = (
  email: string,
  logId = "none",
  status = "5.1.1",
  action: "failed" | "delayed" = "failed",
) =>
  report(
    "delivery-status",
    "message/delivery-status",
    [
      "Reporting-MTA: dns; isp.test",
      "",
      `Final-Recipient: rfc822; ${email}`,
      `Action: ${action}`,
      `Status: ${status}`,
    ],
    logId,
  );

/** Says that the reader of a mail complained; without a log id it proves nothing. */
export const complaintReport = (email: string, logId = "none") =>
  report(
    "feedback-report",
    "message/feedback-report",
    ["Feedback-Type: abuse", "User-Agent: isp/1", "Version: 1", `Original-Rcpt-To: ${email}`],
    logId,
  );
