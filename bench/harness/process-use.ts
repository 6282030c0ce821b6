import { readdirSync, readFileSync } from "node:fs";

/** Resource usage of a process so far; undefined on systems without /proc. */
export interface ProcessUse {
  cpuMs: number | undefined;
  residentMb: number | undefined;
}

/** Length of a clock tick in /proc/<pid>/stat: 100 per second on every Linux that Node supports. */
const TICK_MS = 10;
/** Fields of /proc/<pid>/stat after the name in brackets (proc(5)). */
const PARENT = 1;
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;
const RESIDENT_PAGES = 21;
const PAGE_MB = 4096 / 1_048_576;

/**
 * Reads the fields after the name, which may contain spaces; undefined if there is no such process.
 */
function readStat(pid: number | string): { name: string; fields: string[] } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const end = text.lastIndexOf(")");
    const name = text.slice(text.indexOf("(") + 1, end);
    return { name, fields: text.slice(end + 2).split(" ") };
  } catch {
    return undefined; // The process has ended, or this system has no /proc.
  }
}

/** Returns this process's children with this name. */
export function findChildren(name: string): number[] {
  let entries: string[];
  try {
    entries = readdirSync("/proc");
  } catch {
    return []; // This system has no /proc.
  }
  return entries
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => {
      const stat = readStat(pid);
      return stat?.name === name && stat.fields[PARENT] === String(process.pid);
    })
    .map(Number);
}

/** Reads CPU time (user and system) and resident memory of a process. */
export function readUse(pid: number | undefined): ProcessUse {
  const fields = pid === undefined ? undefined : readStat(pid)?.fields;
  if (!fields) return { cpuMs: undefined, residentMb: undefined };
  const ticks = Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS]);
  return { cpuMs: ticks * TICK_MS, residentMb: Number(fields[RESIDENT_PAGES]) * PAGE_MB };
}

/** Returns the CPU time between two readings. */
export function cpuBetween(before: ProcessUse, after: ProcessUse): number | undefined {
  return before.cpuMs === undefined || after.cpuMs === undefined
    ? undefined
    : after.cpuMs - before.cpuMs;
}
