// Runs programs that must not share a process with what they are compared to: the sink and the
// peers.
import { fork } from "node:child_process";
import { once } from "node:events";

/** Functions of a program, by name: one JSON value in, one out. */
export type Verbs = Record<string, (input: never) => unknown>;

/** The same functions, called from the parent process. */
export type Remote<V extends Verbs> = {
  [Name in keyof V]: (...input: Parameters<V[Name]>) => Promise<Awaited<ReturnType<V[Name]>>>;
} & { stop: () => Promise<void> };

type Question = { id: number; verb: string; input: unknown };
type Reply = { id: number; output?: unknown; error?: string };

/** Called by the program: answers the parent's calls until the parent exits. */
export function answerParent(verbs: Verbs): void {
  const answer = async ({ id, verb, input }: Question) => {
    try {
      const output = await verbs[verb]?.(input as never);
      process.send?.({ id, output } satisfies Reply);
    } catch (error) {
      process.send?.({ id, error: String(error) } satisfies Reply);
    }
  };
  process.on("message", (question: Question) => void answer(question));
  process.on("disconnect", () => process.exit(0));
}

/** Starts a program in bench/. It ends with `stop`, or with this process in any case. */
export function startChild<V extends Verbs>(module: string): Remote<V> {
  const child = fork(new URL(module, import.meta.url), {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const waiting = new Map<
    number,
    { resolve: (value: unknown) => void; reject: (e: Error) => void }
  >();
  let nextId = 0;
  let hasEnded = false;
  child.on("message", ({ id, output, error }: Reply) => {
    const asker = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) asker?.resolve(output);
    else asker?.reject(new Error(`${module}: ${error}`));
  });
  child.on("exit", () => {
    hasEnded = true;
    for (const { reject } of waiting.values()) reject(new Error(`${module} ended`));
  });
  const call = (verb: string) => (input?: unknown) =>
    new Promise((resolve, reject) => {
      if (hasEnded) return reject(new Error(`${module} ended`));
      waiting.set(++nextId, { resolve, reject });
      child.send({ id: nextId, verb, input } satisfies Question);
    });
  const stop = async () => {
    if (hasEnded) return;
    const exit = once(child, "exit");
    child.disconnect();
    await exit;
  };
  const remote = new Proxy(
    {},
    {
      // A property "then" would make the object look like a promise.
      get: (_, verb: string) => (verb === "stop" ? stop : verb === "then" ? undefined : call(verb)),
    },
  );
  return remote as Remote<V>;
}
