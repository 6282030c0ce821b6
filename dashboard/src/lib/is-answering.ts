/** Resolves to true if the service responds at all. */
export const isAnswering = (): Promise<boolean> =>
  fetch("/health", { cache: "no-store" }).then(
    () => true,
    () => false,
  );
