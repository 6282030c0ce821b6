import runtime from "handlebars/dist/cjs/handlebars.runtime.js";
import type {
  Bag,
  CompileOptions,
  Environment,
  Template,
} from "handlebars/dist/cjs/handlebars.runtime.js";
import { refill, spendConversion } from "./budget.ts";
import type { Budget } from "./budget.ts";
import { buildTemplate, textOf } from "./build-program.ts";
import { explainRenderError } from "./errors.ts";
import { DEFAULT_RENDER_LIMITS } from "./limits.ts";
import type { RenderLimits } from "./limits.ts";
import { parseTemplate } from "./parse-template.ts";

/** A template ready to render. */
export interface CompiledTemplate {
  /** Throws TemplateRenderError. `options` are the runtime's own, for tests. */
  render(context: unknown, limits?: Partial<RenderLimits>, options?: Bag): string;
}

/** Compiles templates that share one Handlebars environment. */
export interface Engine {
  environment: Environment;
  /** Throws TemplateSyntaxError. */
  compile(source: string): CompiledTemplate;
}

/** Blocks access to prototype members, without logging each attempt. */
const PROTOTYPE_ACCESS: Bag = {
  allowProtoPropertiesByDefault: false,
  allowProtoMethodsByDefault: false,
};

/**
 * Creates an engine with its own environment and budget. Rendering is synchronous and each render
 * refills the budget first, so two renders never share it. With `knownHelpersOnly`, templates that
 * use anything but built-in helpers and their own partials are rejected.
 */
export function createEngine(compileOptions: CompileOptions = {}): Engine {
  const environment = runtime.create();
  const budget: Budget = { ...DEFAULT_RENDER_LIMITS };
  replaceHelpers(environment, budget);
  const build = (source: string, options: CompileOptions) =>
    buildTemplate(parseTemplate(source, options), options, budget);
  environment.compile = (source, options) => environment.template(build(source, options));

  return {
    environment,
    compile(source) {
      const spec = build(source, compileOptions);
      const kept = spec.useDecorators ? undefined : setUpOnce(environment.template(spec));
      return {
        render(context, limits, options) {
          refill(budget, { ...DEFAULT_RENDER_LIMITS, ...limits });
          try {
            if (kept !== undefined && options === undefined) return kept(context, PROTOTYPE_ACCESS);
            return environment.template(spec)(context, { ...PROTOTYPE_ACCESS, ...options });
          } catch (error) {
            throw explainRenderError(error);
          }
        },
      };
    },
  };
}

/**
 * Shares one setup among all runs of the runtime's template, because it takes most of a short run.
 * It depends only on the environment and PROTOTYPE_ACCESS. Inline partials remain in it if their
 * block throws, so templates that define some get a new setup for each run.
 */
function setUpOnce(template: Template): Template {
  template._setup(PROTOTYPE_ACCESS);
  template._setup = () => undefined;
  return template;
}

/** Replaces built-in helpers that print to the console or bypass the budget, and adds `url_encode`. */
function replaceHelpers(environment: Environment, budget: Budget): void {
  const { lookup } = environment.helpers;
  environment.registerHelper("log", () => "");
  environment.registerHelper("url_encode", (value, ...others) => {
    if (others.length !== 1) throw new runtime.Exception("url_encode takes one value");
    spendConversion(budget, value);
    return encodeURIComponent(textOf(value).toWellFormed());
  });
  environment.registerHelper("lookup", function (...args) {
    spendConversion(budget, args[1]);
    return lookup.apply(this, args);
  });
}
