import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The build of scripts/build-dashboard.mjs. The page itself is served under every path. */
export default defineConfig({
  base: "/dashboard/",
  plugins: [react(), tailwindcss()],
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
            // what most pages need is one file: it compresses better than many
            {
              name: "shell",
              test: /node_modules\/(react|react-dom|scheduler|@tanstack)\/|lucide-react\/dist\/esm\/[^/]+$|client\/src\/|dashboard\/src\/(api|lib|ui\/(?!.*-popup))/,
            },
          ],
        },
      },
    },
  },
});
