/* Questions to the resolver of doh-server.ts, read from inside a test. */
import { ports } from "./ports.ts";

/** `DOH_URL` of that resolver. */
export const DOH_URL = `http://127.0.0.1:${ports.doh}/dns-query`;

/** Questions so far about names that end with `domain`, in order, as "MX one.example.test". */
export async function questionsAbout(domain: string): Promise<string[]> {
  const query = new URLSearchParams({ domain });
  const response = await fetch(
    `http://127.0.0.1:${ports.smtpControl}/doh/questions?${query.toString()}`,
  );
  if (!response.ok) throw new Error(`control port: ${response.status} ${await response.text()}`);
  return response.json<string[]>();
}
