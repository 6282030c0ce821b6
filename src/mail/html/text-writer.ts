/** Collects running text with the white space rules of HTML: runs collapse, blocks break lines. */

/** Writes text piece by piece; breaks and spaces wait until something follows them. */
export interface TextWriter {
  /** Running text: white space runs become one space. */
  write(text: string): void;
  /** Text with its line breaks and spaces kept. */
  writePreformatted(text: string): void;
  /** Goes right behind what is written last, whatever breaks wait. */
  append(text: string): void;
  /** At least this many line breaks before the next text: 1 ends the line, 2 leaves one empty. */
  breakLines(count: 1 | 2): void;
  /** One more line break, of which two in a row at most count. */
  addLineBreak(): void;
  /** What the next text on this line, if there is any, is parted by from the last. */
  separate(separator: string): void;
  /** What the next text begins with, instead of white space: a list marker. */
  lead(marker: string): void;
  /** A place in the text, for `textSince`. */
  mark(): number;
  textSince(mark: number): string;
}

/** Characters that show as nothing: soft hyphens, joiners and marks that fill up previews. */
const INVISIBLE = /[\u034f\u00ad\u200b\u2060\ufeff]/g;
const WHITE_SPACE = /\s[\s\u200c\u200d]*/g;

/** A writer with nothing written. */
export function createTextWriter(): TextWriter {
  const pieces: string[] = [];
  let breaks = 0;
  let gap = "";
  let leader = "";

  const push = (text: string) => {
    if (pieces.length > 0) pieces.push(breaks > 0 ? "\n".repeat(breaks) : gap);
    pieces.push(leader, text);
    breaks = 0;
    gap = "";
    leader = "";
  };
  const breakLines = (count: number) => {
    breaks = Math.min(2, Math.max(breaks, count));
    gap = "";
  };

  return {
    write(text) {
      const collapsed = text.replace(INVISIBLE, "").replace(WHITE_SPACE, " ");
      const trimmed = collapsed.trim();
      if (gap === "" && collapsed.startsWith(" ")) gap = " ";
      if (trimmed === "") return;
      push(trimmed);
      if (collapsed.endsWith(" ")) gap = " ";
    },
    writePreformatted(text) {
      if (text !== "") push(text.replace(/\r\n?/g, "\n"));
    },
    append: (text) => void pieces.push(text),
    breakLines,
    addLineBreak: () => breakLines(breaks + 1),
    separate(separator) {
      if (breaks === 0 && pieces.length > 0) gap = separator;
    },
    lead: (marker) => void (leader = marker),
    mark: () => pieces.length,
    textSince: (mark) => pieces.slice(mark).join(""),
  };
}
