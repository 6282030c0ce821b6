import {
  brandAfter,
  button,
  either,
  eitherLines,
  GREETING,
  heading,
  note,
  optional,
  panel,
  panelRow,
  paragraph,
  urlNames,
  urlVariables,
  type Names,
} from "./blocks.ts";
import { htmlLayout, SHARED_VARIABLES, textLayout, transactionalReason } from "./layout.ts";
import { look } from "./looks.ts";
import type { SystemTemplate } from "./system-template.ts";

const USERNAME: Names = ["username", "email"];
const PASSWORD: Names = ["password", "temporary_password"];
const LOGIN_URL = urlNames("login");

const title = "Your account is ready";
const intro = `An account${brandAfter("at")} has been created for you.`;
const advice = "Please choose a new password after you sign in, and do not share this one.";

const field = (label: string, value: string) =>
  panelRow(`<p ${look("label")}>${label}</p><p ${look("value")}>${value}</p>`);

const parts = {
  title,
  // A password must not appear in a mail list or on a lock screen.
  preheader: intro,
  html: [
    heading(title),
    paragraph(GREETING),
    paragraph(`${intro}${either(PASSWORD, () => " Sign in with these details:")}`),
    panel(
      either(USERNAME, (value) => field("Username", value)) +
        either(PASSWORD, (value) => field("Password", value)),
    ),
    button(LOGIN_URL, "Sign in", "withAddress"),
    either(PASSWORD, () => note(advice)),
  ].join("\n"),
  text: `${GREETING}

${intro}
${eitherLines([...USERNAME, ...PASSWORD], () => "")}
${eitherLines(USERNAME, (value) => `Username: ${value}`)}
${eitherLines(PASSWORD, (value) => `Password: ${value}`)}
${eitherLines(LOGIN_URL, (url) => `\nSign in:\n${url}`)}
${eitherLines(PASSWORD, () => `\n${advice}`)}
`,
  reason: transactionalReason("an account was created for you"),
};

/** Sends sign-in details to the holder of a new account; preheader and subject contain none. */
export const CREDENTIALS: SystemTemplate = {
  name: "credentials",
  subject: `Your account${brandAfter("at")}`,
  htmlBody: htmlLayout(parts),
  textBody: textLayout(parts),
  variables: [
    { name: "username", description: "name to sign in with", required: true },
    optional("email", "shown where there is no username; automatic in emails to subscribers"),
    {
      name: "password",
      description: "initial password; preferably one that expires",
      required: true,
    },
    optional("temporary_password", "the same as password"),
    ...urlVariables("login", "where to sign in"),
    optional("name", "the recipient's name; automatic in emails to subscribers"),
    ...SHARED_VARIABLES,
  ],
};
