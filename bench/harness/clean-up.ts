/** Runs `work` and then its registered cleanups, in reverse order, whatever the outcome. */
export async function withCleanUp<T>(
  work: (atEnd: (cleanUp: () => Promise<void>) => void) => Promise<T>,
): Promise<T> {
  const cleanUps: (() => Promise<void>)[] = [];
  try {
    return await work((cleanUp) => cleanUps.push(cleanUp));
  } finally {
    await Promise.all(cleanUps.toReversed().map((cleanUp) => cleanUp()));
  }
}

/** Starts something and registers its `stop` as a cleanup. */
export async function started<T extends { stop: () => Promise<void> }>(
  thing: T | Promise<T>,
  atEnd: (cleanUp: () => Promise<void>) => void,
): Promise<T> {
  const running = await thing;
  atEnd(running.stop);
  return running;
}
