/**
 * Reads up to `maxBytes` from the start of a stream. Throws if they do not arrive within
 * `timeoutMs`, because a sender may keep the stream open forever.
 */
export async function readStart(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
  timeoutMs: number,
): Promise<Uint8Array> {
  const reader = stream.getReader();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const late = () => reject(new Error("the mail did not arrive in time"));
    timer = setTimeout(late, timeoutMs);
  });
  try {
    const bytes = new Uint8Array(maxBytes);
    for (let length = 0; ;) {
      const { done, value } = await Promise.race([reader.read(), timeout]);
      if (done) return bytes.subarray(0, length);
      const part = value.subarray(0, maxBytes - length);
      bytes.set(part, length);
      length += part.length;
      if (length === maxBytes) return bytes;
    }
  } finally {
    clearTimeout(timer);
  }
}
