/** A stored value with its version for `If-Match`. */
export interface Versioned<T> {
  value: T;
  version: string;
}

/** Placeholder for a resource that a form will create. */
export const NOT_STORED: Versioned<undefined> = { value: undefined, version: "" };

/** Reads the response of a call together with its `ETag`. */
export async function versioned<T>(
  call: (onResponse: (response: Response) => void) => Promise<T>,
): Promise<Versioned<T>> {
  let version = "";
  const value = await call(({ headers }) => {
    version = headers.get("ETag") ?? "";
  });
  return { value, version };
}
