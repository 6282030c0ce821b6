import { createServer } from "node:net";
import { OperatorError } from "../command-line.ts";

/** Throws OperatorError that names the variable to change if a port is in use. */
export async function refuseTakenPorts(ports: Record<string, number>): Promise<void> {
  for (const [variable, port] of Object.entries(ports)) {
    const refusal = await tryListening(port);
    if (refusal === "free") continue;
    throw new OperatorError(
      `port ${port} cannot be used (${refusal}); choose another one with ${variable}=<port> npm start`,
    );
  }
}

function tryListening(port: number): Promise<string> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => {
      resolve(error.code === "EADDRINUSE" ? "it is in use" : error.message);
    });
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve("free")));
  });
}
