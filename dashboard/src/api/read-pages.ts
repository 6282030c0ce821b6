/** Maximum page size of the service (API reference §1.4). */
const MOST = 200;

/**
 * Reads all pages of a list without cursors. An entry that moves to a later page meanwhile appears
 * once.
 */
export async function readPages<Entry extends { id: string }>(
  read: (page: { limit: number; offset: number }) => Promise<readonly Entry[]>,
): Promise<Entry[]> {
  const entries = new Map<string, Entry>();
  for (let offset = 0; ; offset += MOST) {
    const page = await read({ limit: MOST, offset });
    for (const entry of page) entries.set(entry.id, entry);
    if (page.length < MOST) return [...entries.values()];
  }
}
