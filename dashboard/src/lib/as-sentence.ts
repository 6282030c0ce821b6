import { formatDayTime } from "./format.ts";

const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** Returns a message of the service as a sentence, with times as the reader writes them. */
export function asSentence(said: string): string {
  const text = said.replaceAll(TIME, formatDayTime);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?:…]$/.test(text) ? "" : "."}`;
}
