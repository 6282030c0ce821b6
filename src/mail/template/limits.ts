/** Longest template source that is compiled, in UTF-8 bytes; a large newsletter is about 100 KiB. */
export const MAX_SOURCE_BYTES = 512 * 1024;

/** Deepest nesting of blocks and subexpressions. Our bound: the parser's cost grows with it. */
export const MAX_NESTING_LEVELS = 64;

/** Most `{{else if}}` branches open at one place, enclosing blocks included. Our bound, as above. */
export const MAX_OPEN_BRANCHES = 256;

/** Most pieces (tag openings, names, values, texts) of a template: parsing takes 5 to 20 µs each. */
export const MAX_TOKENS = 100_000;

/** Most names in one `as |a b|`; the built-in helpers fill two. Our bound. */
export const MAX_BLOCK_PARAMETERS = 16;

/** Work one render may do; see `Budget` for what a step is. */
export interface RenderLimits {
  steps: number;
  outputBytes: number;
}

/** What a render may spend unless its caller says otherwise: well under 100 ms of processor time. */
export const DEFAULT_RENDER_LIMITS: RenderLimits = {
  steps: 200_000,
  outputBytes: 4 * 1024 * 1024,
};
