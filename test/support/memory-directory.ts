import { statfsSync } from "node:fs";

const MEMORY_DIRECTORY = "/dev/shm"; // Linux; a container may have only 64 MB of it
const ROOM_BYTES = 2 * 1024 ** 3;

/**
 * Returns a directory in memory with room for the databases of a test run, or undefined. Each write
 * to a database waits for the disk, which takes most of the time of a run on a busy machine.
 */
export function memoryDirectory(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_DIRECTORY);
    return bavail * bsize >= ROOM_BYTES ? MEMORY_DIRECTORY : undefined;
  } catch {
    return undefined; // not on this system
  }
}
