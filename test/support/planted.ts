/* Texts that a test plants, and then looks for where none may be. */
import { unique } from "./service.ts";

/** Passwords, keys and tokens, which no table or log may hold in the clear. */
export const secrets: string[] = [];
/** Texts that are stored in their own tables, but never in the audit trail or the runtime's log. */
export const contents: string[] = [];

function planted(list: string[], word: string): string {
  const text = unique(`canary-${word}`);
  list.push(text);
  return text;
}
export const secret = (word: string) => planted(secrets, word);
export const content = (word: string) => planted(contents, word);

/** Remembers a secret that the service generated. */
export function keep(value: unknown): string {
  if (typeof value !== "string" || value.length < 20) throw new Error("no secret came");
  secrets.push(value);
  return value;
}

/** Finds the plants that occur in a text, plain or encoded as in a login. */
export function found(text: string, plants: string[]): string[] {
  const encoded = (plant: string) => btoa(plant).replaceAll("=", "");
  const forms = (plant: string) => [plant, encoded(plant), encoded(`\0user\0${plant}`)];
  return plants.filter((plant) => forms(plant).some((form) => text.includes(form)));
}
