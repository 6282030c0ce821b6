import answers from "./example-answers.json" with { type: "json" };

/**
 * Example responses by operation and status. A test sends each request example and compares the
 * shape of its response with these.
 */
export const EXAMPLE_ANSWERS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = answers;
