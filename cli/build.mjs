// Builds dist/postrider.js: one readable program that includes the typed client. Run by `npm pack` and
// `npm publish`; needs the devDependencies of the surrounding project.
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
rmSync(`${here}dist`, { recursive: true, force: true });
await build({
  absWorkingDir: here,
  entryPoints: ["src/main.ts"],
  outfile: "dist/postrider.js",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  banner: { js: "#!/usr/bin/env node" },
});
