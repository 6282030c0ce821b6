/** Maximum template source in UTF-8 bytes; a large newsletter is about 100 KiB. */
export const MAX_SOURCE_BYTES = 512 * 1024;

/**
 * Maximum nesting of blocks, their `{{else if}}` branches and subexpressions; our own limit, because
 * the parser's cost grows with it.
 */
export const MAX_NESTING_LEVELS = 64;

/**
 * Maximum tokens (tag openings, names, values, texts) of a template: each takes 5 to 20 µs to
 * parse.
 */
export const MAX_TOKENS = 100_000;

/** Limits on the work of one render; see `Budget` for the meaning of a step. */
export interface RenderLimits {
  steps: number;
  outputBytes: number;
}

/** Default limits of a render: well under 100 ms of CPU time. */
export const DEFAULT_RENDER_LIMITS: RenderLimits = {
  steps: 200_000,
  outputBytes: 4 * 1024 * 1024,
};
