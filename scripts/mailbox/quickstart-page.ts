import { readFile } from "node:fs/promises";

/** What a frontend developer would put into the two lines of the page. */
export interface Quickstart {
  /** Origin of the service. */
  address: string;
  publicKey: string;
}

const PAGE = new URL("../../examples/quickstart.html", import.meta.url);

/** The example page with the local service in its two lines; throws when they are not there. */
export async function quickstartPage({ address, publicKey }: Quickstart): Promise<string> {
  const lines = { POSTRIDER: address, PUBLIC_KEY: publicKey };
  let page = await readFile(PAGE, "utf8");
  for (const [name, value] of Object.entries(lines)) {
    const line = new RegExp(`const ${name} = "[^"]*";`);
    if (!line.test(page)) throw new Error(`examples/quickstart.html has no line for ${name}`);
    page = page.replace(line, () => `const ${name} = ${JSON.stringify(value)};`);
  }
  return page;
}

/** The page is one file with its style and script in it, and talks to the service alone. */
export function quickstartPolicy({ address }: Quickstart): string {
  return `default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src ${address}; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`;
}
