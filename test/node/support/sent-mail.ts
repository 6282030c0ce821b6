// A mail for the local mailbox, and the SMTP client that sends one.
import { connect } from "node:net";

/**
 * Sends one mail with its envelope in one write (RFC 2920) and returns all of the server's replies.
 */
export async function sendMail(
  port: number,
  recipients: string[],
  message: string,
): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  const login = Buffer.from("\0anyone\0anything").toString("base64");
  const rcpts = recipients.map((recipient) => `RCPT TO:<${recipient}>`);
  const commands = [
    "EHLO test.example",
    `AUTH PLAIN ${login}`,
    "MAIL FROM:<bounce@sender.example>",
  ];
  let replies = "";
  for await (const chunk of socket) {
    const before = replies;
    replies += chunk;
    const isNew = (code: RegExp) => !code.test(before) && code.test(replies);
    if (isNew(/^220 /m)) socket.write([...commands, ...rcpts, "DATA", ""].join("\r\n"));
    if (isNew(/^354 /m)) socket.write(`${message}\r\n.\r\nQUIT\r\n`);
  }
  return replies;
}

/** A mail whose every part tries to run or break something. */
export const HOSTILE_MAIL = [
  "From: Eve <eve@sender.example>",
  "To: list@list.example",
  'Subject: <script>alert(1)</script> & "quotes"',
  "MIME-Version: 1.0",
  'Content-Type: multipart/mixed; boundary="b"',
  "",
  "--b",
  "Content-Type: text/html",
  "",
  "<!doctype html><html><head><title>x</title></head><body onload=alert(2)>",
  "<a href='https://example.com'>link</a></body></html>",
  "--b",
  'Content-Type: text/plain; name="no<te.txt"',
  'Content-Disposition: attachment; filename="no<te.txt"',
  "",
  "attached",
  "--b--",
].join("\r\n");
