import { Outlet } from "@tanstack/react-router";
import { Suspense } from "react";
import { PageSkeleton } from "../ui/skeleton.tsx";
import { Toasts } from "../ui/toast.tsx";
import { UnseenFailures } from "./unseen-failures.tsx";

/** Layout of all pages, including those before the login. */
export function Root() {
  return (
    <Suspense fallback={<PageSkeleton />}>
      <Outlet />
      <Toasts />
      <UnseenFailures />
    </Suspense>
  );
}
