import { createRouter } from "@tanstack/react-router";
import { PageSkeleton } from "../ui/skeleton.tsx";
import { MissingPage } from "./missing-page.tsx";
import { RouteFault } from "./route-fault.tsx";
import { routeTree } from "./route-tree.ts";

export const router = createRouter({
  routeTree,
  defaultPreload: "intent",
  defaultPreloadStaleTime: 0, // the query cache tracks staleness itself
  scrollRestoration: true,
  // remounts the page for another project, subscriber or mail, so that no input or request carries
  // over
  defaultRemountDeps: ({ params }) => params,
  defaultPendingComponent: PageSkeleton,
  defaultErrorComponent: RouteFault,
  defaultNotFoundComponent: MissingPage,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
