import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorWords } from "./error-words.tsx";
import { Skeleton } from "./skeleton.tsx";

interface LoadedProps<T> {
  query: UseQueryResult<T>;
  /** The lines of the skeleton, as high as the content will be. */
  lines?: number;
  children: (data: T) => ReactNode;
}

/** Shows what a query loads: grey lines first, and its error with another try. */
export function Loaded<T>({ query, lines = 4, children }: LoadedProps<T>) {
  return (
    <>
      {query.isPending && <Skeleton lines={lines} />}
      {query.error && <ErrorWords error={query.error} onRetry={() => void query.refetch()} />}
      {query.data !== undefined && children(query.data)}
    </>
  );
}
