import { templateFault } from "../../messages/templates.ts";
import { TemplateSyntaxError } from "./errors.ts";
import type { TemplatePosition } from "./errors.ts";
import { MAX_NESTING_LEVELS, MAX_TOKENS } from "./limits.ts";

/** Watches the tokens of one template and tracks what is open. */
export interface TokenGuard {
  /** Records a token by its grammar name. Throws TemplateSyntaxError if a limit is exceeded. */
  see(token: string | undefined, position: TemplatePosition): void;
  /** Returns the start of the innermost open block. */
  openBlock(): TemplatePosition | undefined;
}

/** Creates a guard for one parse. */
export function createTokenGuard(): TokenGuard {
  /** Open blocks, with the level of nesting around each. */
  const blocks: { position: TemplatePosition; outerLevel: number }[] = [];
  let level = 0;
  let tokens = 0;

  return {
    openBlock: () => blocks.at(-1)?.position,
    see(token, position) {
      if (++tokens > MAX_TOKENS)
        throw new TemplateSyntaxError(templateFault("too_many_tags"), position);
      switch (token) {
        case "OPEN_BLOCK":
        case "OPEN_INVERSE":
        case "OPEN_PARTIAL_BLOCK":
          blocks.push({ position, outerLevel: level++ });
          break;
        case "OPEN_INVERSE_CHAIN":
        case "OPEN_SEXPR":
          level++;
          break;
        case "CLOSE_SEXPR":
          level--;
          break;
        case "OPEN_ENDBLOCK":
          level = blocks.pop()?.outerLevel ?? 0;
          break;
        default:
      }
      if (level > MAX_NESTING_LEVELS) {
        const fault = templateFault("too_many_template_levels", { max: MAX_NESTING_LEVELS });
        throw new TemplateSyntaxError(fault, position);
      }
    },
  };
}
