import { templateFault } from "../../messages/templates.ts";
import { TemplateSyntaxError } from "./errors.ts";
import type { TemplatePosition } from "./errors.ts";
import {
  MAX_BLOCK_PARAMETERS,
  MAX_NESTING_LEVELS,
  MAX_OPEN_BRANCHES,
  MAX_TOKENS,
} from "./limits.ts";

/** Watches the tokens of one template and tracks what is open. */
export interface TokenGuard {
  /** Records a token by its grammar name. Throws TemplateSyntaxError if a limit is exceeded. */
  see(token: string | undefined, position: TemplatePosition): void;
  /** Returns the start of the innermost open block. */
  openBlock(): TemplatePosition | undefined;
  /** Returns the token that would end the innermost open tag or subexpression. */
  closer(): string;
}

/** End of each tag by the token that opens it. */
const TAG_CLOSERS: Record<string, string> = {
  OPEN: "CLOSE",
  OPEN_BLOCK: "CLOSE",
  OPEN_INVERSE: "CLOSE",
  OPEN_INVERSE_CHAIN: "CLOSE",
  OPEN_ENDBLOCK: "CLOSE",
  OPEN_PARTIAL: "CLOSE",
  OPEN_PARTIAL_BLOCK: "CLOSE",
  OPEN_UNESCAPED: "CLOSE_UNESCAPED",
  OPEN_RAW_BLOCK: "CLOSE_RAW_BLOCK",
};

interface OpenBlock {
  position: TemplatePosition;
  branches: number;
}

/** Creates a guard for one parse. */
export function createTokenGuard(): TokenGuard {
  const blocks: OpenBlock[] = [];
  let branches = 0;
  let subexpressions = 0;
  let parameterNames = -1; // -1 outside `as |…|`
  let tokens = 0;
  let tagCloser = "CLOSE";

  function enter(position: TemplatePosition): void {
    if (blocks.length + subexpressions > MAX_NESTING_LEVELS) {
      throw new TemplateSyntaxError(
        templateFault("too_many_template_levels", { max: MAX_NESTING_LEVELS }),
        position,
      );
    }
  }

  function branch(position: TemplatePosition): void {
    const block = blocks.at(-1);
    if (block !== undefined) block.branches++;
    if (++branches > MAX_OPEN_BRANCHES) {
      throw new TemplateSyntaxError(
        templateFault("too_many_branches", { max: MAX_OPEN_BRANCHES }),
        position,
      );
    }
  }

  function nameParameter(position: TemplatePosition): void {
    if (parameterNames >= 0 && ++parameterNames > MAX_BLOCK_PARAMETERS) {
      throw new TemplateSyntaxError(
        templateFault("too_many_block_parameters", { max: MAX_BLOCK_PARAMETERS }),
        position,
      );
    }
  }

  return {
    openBlock: () => blocks.at(-1)?.position,
    closer: () => (subexpressions > 0 ? "CLOSE_SEXPR" : tagCloser),
    see(token, position) {
      if (++tokens > MAX_TOKENS)
        throw new TemplateSyntaxError(templateFault("too_many_tags"), position);
      if (token !== undefined) tagCloser = TAG_CLOSERS[token] ?? tagCloser;
      switch (token) {
        case "OPEN_BLOCK":
        case "OPEN_INVERSE":
        case "OPEN_PARTIAL_BLOCK":
          blocks.push({ position, branches: 0 });
          return enter(position);
        case "OPEN_INVERSE_CHAIN":
          return branch(position);
        case "OPEN_ENDBLOCK":
          branches -= blocks.pop()?.branches ?? 0;
          return;
        case "OPEN_SEXPR":
          subexpressions++;
          return enter(position);
        case "CLOSE_SEXPR":
          subexpressions--;
          return;
        case "OPEN_BLOCK_PARAMS":
          parameterNames = 0;
          return;
        case "CLOSE_BLOCK_PARAMS":
          parameterNames = -1;
          return;
        case "ID":
          return nameParameter(position);
        default:
      }
    },
  };
}
