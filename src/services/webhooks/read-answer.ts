/** The maximum number of bytes stored of an endpoint's response (API reference §4.2). */
const MAX_BYTES = 4_096;

/** The body of an endpoint's response. */
export interface EndpointAnswer {
  /** The start of the body as text. Invalid UTF-8 becomes U+FFFD. */
  body: string;
  /** False if the body was longer or broke off. */
  isComplete: boolean;
}

/** Reads only the start of a body. Never throws. */
export async function readAnswer(body: ReadableStream<Uint8Array> | null): Promise<EndpointAnswer> {
  const decoder = new TextDecoder();
  let text = "";
  let left = MAX_BYTES;
  try {
    for await (const chunk of body ?? []) {
      text += decoder.decode(chunk.subarray(0, left), { stream: true });
      left -= chunk.length;
      if (left < 0) return { body: text, isComplete: false };
    }
  } catch {
    return { body: text, isComplete: false }; // timed out or disconnected after the status
  }
  return { body: text + decoder.decode(), isComplete: true };
}
