import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { animatedWebp, type WebpFrame } from "./animated-webp.ts";

/** Defines `encodeChange`: the browser decodes PNG and encodes WebP. */
const ENCODER = new URL("in-page/encode-change.js", import.meta.url);
const QUALITY = 0.72;
const LAST_FRAME_MS = 2_500;

interface Shot {
  /** A PNG in base64. */
  data: string;
  /** Seconds, of a clock that only differences can be taken of. */
  at: number;
  /** How many times faster than recorded it is played. */
  speed: number;
}

export type SetSpeed = (times: number) => void;

/** Records what `page` shows during `act`, and returns it as an animated WebP. */
export async function recordPage(
  browser: Browser,
  page: Page,
  act: (setSpeed: SetSpeed) => Promise<void>,
) {
  const session = await page.context().newCDPSession(page);
  const shots: Shot[] = [];
  let speed = 1;
  session.on("Page.screencastFrame", ({ data, metadata, sessionId }) => {
    shots.push({ data, at: metadata.timestamp ?? Date.now() / 1_000, speed });
    void session.send("Page.screencastFrameAck", { sessionId });
  });
  await session.send("Page.startScreencast", { format: "png" });
  await act((times) => (speed = times));
  await session.send("Page.stopScreencast");
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  shots.sort((one, other) => one.at - other.at);
  return animatedWebp(width, height, await framesOf(browser, shots));
}

/** A frame, with its file in base64. */
interface EncodedChange extends Omit<WebpFrame, "file" | "milliseconds"> {
  file: string;
}

/** Encodes of each shot the rectangle that differs from the one before. */
async function framesOf(browser: Browser, shots: Shot[]): Promise<WebpFrame[]> {
  const encoder = await browser.newPage();
  await encoder.addScriptTag({ path: fileURLToPath(ENCODER) });
  const frames: WebpFrame[] = [];
  let previous = "";
  for (const [index, { data, at, speed }] of shots.entries()) {
    const next = shots[index + 1]?.at;
    const milliseconds =
      next === undefined ? LAST_FRAME_MS : Math.round(((next - at) * 1_000) / speed);
    const input = JSON.stringify({ previous, data, quality: QUALITY });
    const changed = await encoder.evaluate<EncodedChange | null>(`encodeChange(${input})`);
    previous = data;
    const last = frames.at(-1);
    if (changed)
      frames.push({ ...changed, file: Buffer.from(changed.file, "base64"), milliseconds });
    else if (last) last.milliseconds += milliseconds;
  }
  await encoder.close();
  return frames;
}
