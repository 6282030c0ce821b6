/** A failure that is explained by its message alone; the exit code is 1. */
export class Failure extends Error {
  readonly code: string;

  constructor(message: string, code = "failed") {
    super(message);
    this.code = code;
  }
}

/** Wrong arguments; the exit code is 2. */
export class UsageError extends Error {}
