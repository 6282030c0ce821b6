// Builds dist/: two readable modules, their source maps and declarations. Run by `npm pack` and `npm publish`;
// needs the devDependencies of the surrounding project.
import { spawnSync } from "node:child_process";
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
process.chdir(here);
rmSync("dist", { recursive: true, force: true });
for (const name of ["index", "nodemailer"])
  await build({
    absWorkingDir: here,
    entryPoints: [`src/${name}.ts`],
    outdir: "dist",
    bundle: true,
    external: ["./index.ts"], // both modules have the same class of errors
    format: "esm",
    target: "es2022",
    sourcemap: true,
  });
const tsc = fileURLToPath(new URL("../node_modules/typescript/bin/tsc", import.meta.url));
const options = ["-p", ".", "--noEmit", "false", "--emitDeclarationOnly", "--outDir", "dist"];
const { status } = spawnSync(process.execPath, [tsc, ...options], { stdio: "inherit" });
for (const file of globSync("dist/*.{d.ts,js}")) {
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replaceAll(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"'));
}
process.exitCode = status ?? 1;
