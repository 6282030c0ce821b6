import { createRouter } from "@tanstack/react-router";
import { PageSkeleton } from "../ui/skeleton.tsx";
import { MissingPage } from "./missing-page.tsx";
import { RouteFault } from "./route-fault.tsx";
import { routeTree } from "./route-tree.ts";

export const router = createRouter({
  routeTree,
  defaultPreload: "intent",
  defaultPreloadStaleTime: 0, // the queries know how old their answers are
  scrollRestoration: true,
  // the page of another project, person or mail begins anew: nothing typed or asked goes with it
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
