import "./styles.css";
import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./api/query-client.ts";
import { watchNetwork } from "./api/watch-network.ts";
import { router } from "./app/router.ts";
import { applyLanguage } from "./text/language.ts";
import { applyTheme } from "./lib/theme.ts";
import { reloadOnMissingFiles } from "./lib/reload-on-missing-files.ts";

applyTheme();
applyLanguage();
reloadOnMissingFiles();
watchNetwork();

const place = document.getElementById("app");
if (!place) throw new Error("the page has no place for the dashboard");
createRoot(place).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
