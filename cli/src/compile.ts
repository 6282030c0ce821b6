import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Failure } from "./failure.ts";

/* The few functions of the caller's own packages that are used. */
interface Mjml {
  default: (source: string, options: object) => Rendered | Promise<Rendered>;
}
type Rendered = { html: string; errors?: { formattedMessage: string }[] };
interface Esbuild {
  build: (options: object) => Promise<{ outputFiles: { text: string }[] }>;
}
interface ReactEmail {
  render: (element: unknown) => string | Promise<string>;
}
interface React {
  createElement: (component: unknown) => unknown;
}

/** Returns the HTML of a body: as it is, or compiled from MJML or a React component. */
export async function compile(file: string): Promise<string> {
  const extension = extname(file);
  if (extension === ".html") return readFileSync(file, "utf8");
  return extension === ".mjml" ? compileMjml(file) : compileReact(file);
}

/** Imports a package of the project in which the file is. */
async function load<Module>(file: string, name: string, needed = name): Promise<Module> {
  const from = createRequire(resolve(file));
  try {
    return (await import(pathToFileURL(from.resolve(name)).href)) as Module;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    throw new Failure(
      `${file} needs packages of your own project: npm install ${needed}`,
      "missing_package",
    );
  }
}

async function compileMjml(file: string): Promise<string> {
  const mjml = await load<Mjml>(file, "mjml");
  const options = { filePath: file, validationLevel: "soft" };
  const { html, errors = [] } = await mjml.default(readFileSync(file, "utf8"), options);
  const [first] = errors;
  if (first) throw new Failure(`${file}: ${first.formattedMessage}`, "invalid_template");
  return html;
}

async function compileReact(file: string): Promise<string> {
  const needed = "esbuild react @react-email/render";
  const { build } = await load<Esbuild>(file, "esbuild", needed);
  const { render } = await load<ReactEmail>(file, "@react-email/render", needed);
  const { createElement } = await load<React>(file, "react", needed);
  const options = { bundle: true, packages: "external", platform: "node", format: "esm" };
  const { outputFiles } = await build({
    ...options,
    entryPoints: [resolve(file)],
    jsx: "automatic",
    write: false,
  });
  // beside its source, where its imports are found
  const built = join(dirname(resolve(file)), `.body-${process.pid}-${Date.now()}.mjs`);
  writeFileSync(built, outputFiles[0]?.text ?? "", { flag: "wx" });
  try {
    const { default: component } = await import(pathToFileURL(built).href);
    if (typeof component !== "function")
      throw new Failure(`${file} has no component as its default export`, "invalid_template");
    return await render(createElement(component));
  } finally {
    rmSync(built);
  }
}
