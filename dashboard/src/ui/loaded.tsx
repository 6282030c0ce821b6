import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorWords } from "./error-words.tsx";
import { Skeleton } from "./skeleton.tsx";

interface LoadedProps<T> {
  query: UseQueryResult<T>;
  /** Number of skeleton lines, to match the height of the content. */
  lines?: number;
  children: (data: T) => ReactNode;
}

/** Shows the result of a query: a skeleton first, and an error with a retry. */
export function Loaded<T>({ query, lines = 4, children }: LoadedProps<T>) {
  return (
    <>
      {query.isPending && <Skeleton lines={lines} />}
      {query.error && <ErrorWords error={query.error} onRetry={() => void query.refetch()} />}
      {query.data !== undefined && children(query.data)}
    </>
  );
}
