import { readFile } from "node:fs/promises";

/** Values for the two lines of the page that a frontend developer edits. */
export interface Quickstart {
  /** Origin of the service. */
  address: string;
  publicKey: string;
}

const PAGE = new URL("../../examples/quickstart.html", import.meta.url);

/** The demo project has a series that welcomes, so the page asks for no other welcome. */
const WELCOME = /^ *sendWelcomeEmail: true,.*\n/m;

/**
 * Returns the example page with the local service filled in; throws if the two lines are missing.
 */
export async function quickstartPage({ address, publicKey }: Quickstart): Promise<string> {
  const lines = { POSTRIDER: address, PUBLIC_KEY: publicKey };
  let page = await readFile(PAGE, "utf8");
  for (const [name, value] of Object.entries(lines)) {
    const line = new RegExp(`const ${name} = "[^"]*";`);
    if (!line.test(page)) throw new Error(`examples/quickstart.html has no line for ${name}`);
    page = page.replace(line, () => `const ${name} = ${JSON.stringify(value)};`);
  }
  return page.replace(WELCOME, "");
}

/**
 * Returns the page's policy: one file with inline style and script that contacts only the service.
 */
export function quickstartPolicy({ address }: Quickstart): string {
  return `default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src ${address}; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`;
}
