/** Runs `work` and then, however it ended, what it asked to be done at the end, latest first. */
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

/** Starts something, and has it stopped at the end. */
export async function started<T extends { stop: () => Promise<void> }>(
  thing: T | Promise<T>,
  atEnd: (cleanUp: () => Promise<void>) => void,
): Promise<T> {
  const running = await thing;
  atEnd(running.stop);
  return running;
}
