import { Compiler } from "handlebars/dist/cjs/handlebars/compiler/compiler.js";
import type { CompileOptions } from "handlebars/dist/cjs/handlebars/compiler/compiler.js";
import type { Program } from "handlebars/dist/cjs/handlebars/compiler/parser.js";
import runtime from "handlebars/dist/cjs/handlebars.runtime.js";
import type {
  Environment,
  RunOptions,
  Template,
  TemplateSpec,
} from "handlebars/dist/cjs/handlebars.runtime.js";
import { refill, spendConversion } from "./budget.ts";
import type { Budget } from "./budget.ts";
import { explainCompileError, explainRenderError } from "./explain-error.ts";
import { generateTemplate } from "./generate-template.ts";
import { DEFAULT_RENDER_LIMITS } from "./limits.ts";
import type { RenderLimits } from "./limits.ts";
import { parseTemplate } from "./parse-template.ts";

/** Compile options of an engine, in addition to those of Handlebars. */
export interface EngineOptions extends CompileOptions {
  /** Validates a parsed template. Throws TemplateSyntaxError if it can never render. */
  check?: (program: Program) => void;
}

/** A template ready to render. */
export interface CompiledTemplate {
  /** Throws TemplateRenderError. `options` are the runtime's own, for tests. */
  render(context: unknown, limits?: Partial<RenderLimits>, options?: RunOptions): string;
}

/**
 * Compiles templates that share one Handlebars environment. Register helpers and partials before
 * you compile the templates that use them.
 */
export interface Engine {
  environment: Environment;
  /** Throws TemplateSyntaxError. */
  compile(source: string): CompiledTemplate;
}

/** Blocks access to prototype members, without logging each attempt. */
const PROTOTYPE_ACCESS: RunOptions = {
  allowProtoPropertiesByDefault: false,
  allowProtoMethodsByDefault: false,
};

/**
 * Creates an engine with its own environment and budget. Rendering is synchronous and each render
 * refills the budget first, so two renders never share it.
 */
export function createEngine({ check, ...compileOptions }: EngineOptions = {}): Engine {
  const environment = runtime.create();
  const budget: Budget = { ...DEFAULT_RENDER_LIMITS };
  replaceHelpers(environment, budget);

  function generate(source: string, options: CompileOptions): TemplateSpec {
    const program = parseTemplate(source, options);
    check?.(program);
    const code = new Compiler().compile(program, options);
    return generateTemplate(code, options, budget);
  }
  environment.compile = (source, options) => environment.template(generate(source, options));

  return {
    environment,
    compile(source) {
      const spec = compileSpec();
      const kept = spec.useDecorators ? undefined : setUpOnce(environment.template(spec));
      return {
        render(context, limits, options) {
          refill(budget, { ...DEFAULT_RENDER_LIMITS, ...limits });
          try {
            if (kept !== undefined && options === undefined) return kept(context, PROTOTYPE_ACCESS);
            return environment.template(spec)(context, { ...PROTOTYPE_ACCESS, ...options });
          } catch (error) {
            throw explainRenderError(error, environment);
          }
        },
      };

      function compileSpec() {
        try {
          return generate(source, { ...compileOptions, data: true });
        } catch (error) {
          throw explainCompileError(error, environment);
        }
      }
    },
  };
}

/**
 * Shares one setup among all runs of the runtime's template, because it takes most of a short run:
 * its wrapped helpers, hooks and prototype access depend only on the environment and
 * PROTOTYPE_ACCESS.
 *
 * State must not leak from one run to the next. Contexts, `@` variables, block parameters and
 * depths are arguments, new for each run. Only decorators receive the shared container, and inline
 * partials remain in it if their block throws. Templates with decorators therefore get a new
 * container for each run. Source: Handlebars 4.7, runtime.js and decorators/inline.js.
 */
function setUpOnce(template: Template): Template {
  template._setup(PROTOTYPE_ACCESS);
  template._setup = () => undefined;
  return template;
}

/** Replaces built-in helpers that print to the console or bypass the budget. */
function replaceHelpers(environment: Environment, budget: Budget): void {
  const { lookup } = environment.helpers;
  environment.registerHelper("log", () => "");
  environment.registerHelper("lookup", function (...args) {
    spendConversion(budget, args[1]);
    return lookup.apply(this, args);
  });
}
