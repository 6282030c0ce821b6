/** For the layers that may not import the texts (scripts/import-rules/layers.ts). */
export type { Message } from "../messages/message.ts";
