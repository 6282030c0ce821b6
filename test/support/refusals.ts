import { broadcastReason } from "../../src/messages/broadcast-reasons.ts";
import { AppError } from "../../src/errors.ts";
import { expect } from "vitest";

const CODE = expect.stringMatching(/^[a-z_]+$/);
const TEXT = expect.stringMatching(/\w/);

/** An answer that refuses, with a text and a code. */
export const refusal = (status: number, error: unknown = TEXT) =>
  expect.objectContaining({ status, body: expect.objectContaining({ error, code: CODE }) });

/** The same in the envelope of the key-based API. */
export const keyedRefusal = (status: number, error: unknown = TEXT) =>
  expect.objectContaining({
    status,
    body: expect.objectContaining({ success: false, error, code: CODE }),
  });

/** An error that ends a worker: no write is repeated after a refusal. */
export const deathOfWorker = (words: string) => new AppError("chunk_taken_over", words);

/** The reason of a broadcast that the words of its server are. */
export const serverError = (reply: string) => broadcastReason("server_error", { reply });
