import answers from "./example-answers.json" with { type: "json" };

/**
 * The examples of answers, by the operation and the status. A test sends the example of each
 * request and compares the form of its answer with these.
 */
export const EXAMPLE_ANSWERS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = answers;
