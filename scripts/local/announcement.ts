import { firstSend, LANGUAGES } from "../../src/lib/snippets.ts";
import type { DemoProject } from "./demo-project.ts";
import type { OwnerLogin } from "./first-account.ts";

/** Formats the startup message: URLs, logins, and an example send. */
export function formatAnnouncement(run: {
  address: string;
  inboxUrl: string;
  login: OwnerLogin;
  demo: DemoProject | undefined;
  mailboxReachable: boolean;
  /** True if Enter shows the message again. */
  isInteractive: boolean;
}): string {
  const { address, inboxUrl, login, demo, mailboxReachable, isInteractive } = run;
  const lines = [
    "",
    `Postrider is running; Ctrl-C ends it${isInteractive ? ", Enter shows this again" : ""}.`,
    "",
    `  Address   ${address}`,
    ...formatLogin(login),
    `  Inbox     ${inboxUrl}`,
  ];
  if (demo) {
    lines.push(
      `  API key   ${demo.apiKey}`,
      `  Project   ${demo.projectId}`,
      ...(demo.publicKey ? [`  Join form ${inboxUrl}quickstart.html`] : []),
      "",
      ...(mailboxReachable ? formatTrial(address, demo) : [UNREACHABLE]),
    );
  }
  return `${lines.join("\n")}\n\n`;
}

/**
 * Formats the message for a service that responds but cannot work, for example because of an
 * invalid secret.
 */
export function formatRefusal(run: { address: string; inboxUrl: string; reason: string }): string {
  return `
Postrider is running but refuses to work; Ctrl-C ends it.

  Address   ${run.address}
  Inbox     ${run.inboxUrl}
  Reason    ${run.reason}

`;
}

function formatLogin(login: OwnerLogin): string[] {
  if (login.outcome === "logged_in") {
    return [`  Email     ${login.email}`, `  Password  ${login.password}`];
  }
  return [
    `  Email     ${login.email} (the login was refused with ${login.reason})`,
    "            Set the correct OWNER_EMAIL and OWNER_PASSWORD, or reset the password with",
    `            npm run user -- reset-password --email ${login.email}`,
  ];
}

const UNREACHABLE = "the service cannot reach the local mailbox: ALLOW_PRIVATE_TARGETS is not true";

function formatTrial(address: string, demo: DemoProject): string[] {
  return ["Send an email, then open the inbox:", "", formatCurl(address, demo)];
}

const [CURL] = LANGUAGES;

function formatCurl(address: string, { projectId, apiKey: key }: DemoProject): string {
  const call = firstSend({ origin: address, projectId, key, email: "you@example.com" });
  const html_body =
    '<h1>It works</h1><p>This is <a href="https://example.com/">a tracked link</a>.</p>';
  return CURL.write({
    ...call,
    body: { ...call.body, subject: "Hello from Postrider", html_body },
  });
}
