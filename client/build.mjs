// Builds dist/: two readable modules, their source maps and declarations, and copies the license. Run by `npm pack` and `npm publish`;
// needs the devDependencies of the surrounding project.
import { spawnSync } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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
for (const name of readdirSync("dist").filter((one) => /\.(?:js|d\.ts)$/.test(one))) {
  const file = join("dist", name);
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replaceAll(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"'));
}
copyFileSync("../LICENSE", "LICENSE");
process.exitCode = status ?? 1;
