import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const FRAMEWORK = /node_modules\/(react|react-dom|scheduler|@tanstack)\/|client\/src\//;
/** What pages share, their frame included; popups stay apart, since they load at a click. */
const OWN = /dashboard\/src\/(api|lib|app\/layout|ui\/(?!.*-popup))/;
/** The start, the frame of the pages, and the page that most people see first. */
const FIRST_PAGE = ["main.tsx", "app/layout.tsx", "pages/overview/overview-page.tsx"];

interface Graph {
  getModuleInfo: (id: string) => { importedIds: readonly string[] } | null;
}

let found: Set<string> | undefined;

/** Returns the modules that the first page imports, directly or not. */
function ofFirstPage(graph: Graph): Set<string> {
  if (found) return found;
  found = new Set();
  const open = FIRST_PAGE.map((file) => fileURLToPath(new URL(`src/${file}`, import.meta.url)));
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    open.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}

/** The build of scripts/build-assets.mjs. The page itself is served under every path. */
export default defineConfig({
  base: "/dashboard/",
  plugins: [react(), tailwindcss()],
  // React has the hook itself
  resolve: {
    alias: {
      "use-sync-external-store/shim/with-selector": "use-sync-external-store/with-selector",
    },
  },
  build: {
    target: "es2023",
    emptyOutDir: true,
    assetsInlineLimit: 0, // the page's policy allows no script or style inside it
    modulePreload: {
      polyfill: false,
      // the names of all files of all pages would be in the first script
      resolveDependencies: (_, files, { hostType }) => (hostType === "html" ? files : []),
    },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // what the first page needs is one file: it compresses better than many
            {
              debugName: "shell",
              name: (id, graph) => (!OWN.test(id) || ofFirstPage(graph).has(id) ? "shell" : null),
              test: (id) => FRAMEWORK.test(id) || OWN.test(id),
              priority: 2,
            },
            // what other pages share comes with the first of them
            { name: "parts", test: OWN, priority: 1 },
          ],
        },
      },
    },
  },
});
