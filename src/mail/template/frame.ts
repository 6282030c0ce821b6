import type { Bag, Container } from "handlebars/dist/cjs/handlebars.runtime.js";

/** A running block: the arguments that the runtime passed to its program. */
export interface Frame {
  container: Container;
  /** The context, `this`. */
  depth0: unknown;
  helpers: Bag;
  partials: Bag | undefined;
  /** The `@` variables. */
  data: unknown;
  blockParams: unknown[][] | undefined;
  /** The contexts from here to the root, for `../`. */
  depths: unknown[] | undefined;
}

/** Computes a value in a frame. */
export type Expression = (frame: Frame) => unknown;

/** Computes a piece of output in a frame. */
export type Statement = (frame: Frame) => string;
