/** Writes text by the whitespace rules of HTML: runs collapse, blocks break lines. */

/** Writes text incrementally. Breaks and spaces are deferred until text follows them. */
export interface TextWriter {
  /** Adds text; runs of whitespace become one space. */
  write(text: string): void;
  /** Adds text and preserves its line breaks and spaces. */
  writePreformatted(text: string): void;
  /** Adds text directly after the last text, discarding deferred breaks. */
  append(text: string): void;
  /**
   * Requests at least this many line breaks before the next text: 1 ends the line, 2 adds a blank
   * line.
   */
  breakLines(count: 1 | 2): void;
  /** Adds one more line break, up to two in a row. */
  addLineBreak(): void;
  /** Sets the separator between the last text and the next one on this line, if one comes. */
  separate(separator: string): void;
  /** Sets the prefix of the next text, in place of whitespace: a list marker. */
  lead(marker: string): void;
  /** Returns a position in the text for `textSince`. */
  mark(): number;
  textSince(mark: number): string;
}

/** Invisible characters: soft hyphens, joiners and marks that pad previews. */
const INVISIBLE = /[\u034f\u00ad\u200b\u2060\ufeff]/g;
const WHITE_SPACE = /\s[\s\u200c\u200d]*/g;

/** A character that is invisible, or whitespace other than a space. */
const ODD = /[^ -\x9f]/;

/** Returns true for text that needs no processing: only single spaces, and nothing invisible. */
const isCollapsed = (text: string) => !text.includes("  ") && !ODD.test(text);

/** Creates an empty writer. */
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
      const collapsed = isCollapsed(text)
        ? text
        : text.replace(INVISIBLE, "").replace(WHITE_SPACE, " ");
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
