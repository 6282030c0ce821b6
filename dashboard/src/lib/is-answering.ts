/** Tells whether the service answers at all. */
export const isAnswering = (): Promise<boolean> =>
  fetch("/health", { cache: "no-store" }).then(
    () => true,
    () => false,
  );
