import { parseArgs, type ParseArgsConfig } from "node:util";
import { PostriderError } from "../../client/src/index.ts";
import manifest from "../package.json" with { type: "json" };
import { Failure, UsageError } from "./failure.ts";
import { importFile } from "./import.ts";
import { logIn, logOut } from "./login.ts";
import { showLogs } from "./logs.ts";
import { plain } from "./output.ts";
import { send } from "./send.ts";
import { openSession } from "./session.ts";
import { pull, push } from "./templates.ts";

const HELP = `Usage: postrider <command> [options]

  login --url <url> [--project <name>]      log in through the browser
  logout                                    end the access token of this machine
  send --to <email> --subject <text> --html <file|->
       [--text <file|->] [--from <email>] [--idempotency-key <text>]
  send --to <email> --template <name> [--data <json|@file>] [--subject <text>]
  logs [--follow] [--status <status>] [--to <email>] [--limit <1-200>]
  templates pull [dir] [--dry-run] [--force]
  templates push [dir] [--dry-run] [--force]
  import <file.csv|-> [--topic <name>] [--tag <name>] [--status <status>] [--dry-run]

Options of every command:
  --project <name or id>   the project, if you have several
  --json                   print JSON
  --help, --version

Environment, for CI: POSTRIDER_URL, POSTRIDER_TOKEN, POSTRIDER_PROJECT.
Exit codes: 0 done, 1 failed, 2 wrong arguments.
`;

const text = { type: "string" } as const;
const texts = { type: "string", multiple: true } as const;
const flag = { type: "boolean" } as const;
const COMMON = { project: text, json: { ...flag, default: false }, help: flag, version: flag };

/** Parses the options of a command; others are an error. */
const read = <Options extends NonNullable<ParseArgsConfig["options"]>>(
  args: string[],
  options: Options,
) => parseArgs({ args, options: { ...COMMON, ...options }, allowPositionals: true });

/** Throws for more positional arguments than a command takes. */
function atMost(count: number, words: string[]): string[] {
  if (words.length > count) throw new UsageError(`unexpected argument "${words[count]}"`);
  return words;
}

const SAVING = { "dry-run": flag, force: flag };
const COMMANDS: Record<string, (args: string[]) => Promise<void>> = {
  login: (args) => {
    const { values, positionals } = read(args, { url: text });
    atMost(0, positionals);
    return logIn(values);
  },
  logout: (args) => {
    const { values, positionals } = read(args, {});
    atMost(0, positionals);
    return logOut(values);
  },
  send: (args) => {
    const { values, positionals } = read(args, {
      to: texts,
      from: text,
      subject: text,
      html: text,
      text,
      template: text,
      data: text,
      "idempotency-key": text,
    });
    atMost(0, positionals);
    return send(openSession(), values);
  },
  logs: (args) => {
    const { values, positionals } = read(args, {
      status: text,
      to: text,
      limit: text,
      follow: flag,
    });
    atMost(0, positionals);
    return showLogs(openSession(), values);
  },
  templates: (args) => {
    const { values, positionals } = read(args, SAVING);
    const [verb, dir = "emails"] = atMost(2, positionals);
    if (verb !== "pull" && verb !== "push")
      throw new UsageError("templates pull or templates push");
    return (verb === "pull" ? pull : push)(openSession(), dir, values);
  },
  import: (args) => {
    const { values, positionals } = read(args, {
      topic: texts,
      tag: texts,
      status: text,
      "dry-run": flag,
    });
    const [file] = atMost(1, positionals);
    if (file === undefined) throw new UsageError("import needs a file");
    return importFile(openSession(), file, values);
  },
};

async function run([name = "", ...args]: string[]): Promise<void> {
  const all = [name, ...args];
  if (name === "" || name === "help" || all.includes("--help") || all.includes("-h")) {
    process.stdout.write(HELP);
    return;
  }
  if (name === "--version") {
    process.stdout.write(`${manifest.version}\n`);
    return;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new UsageError(`there is no command "${name}"`);
  await command(args);
}

/** Says what failed, and returns the exit code. */
function fail(error: unknown, isJson: boolean): number {
  if (!(error instanceof Error)) throw error;
  const isParsing = "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
  const isUsage = error instanceof UsageError || isParsing;
  const isOfSystem = "syscall" in error && "code" in error;
  if (!isUsage && !isOfSystem && !(error instanceof Failure || error instanceof PostriderError))
    throw error;
  const code = isUsage ? "usage" : "code" in error ? error.code : "failed";
  const details = error instanceof PostriderError ? error.body : {};
  const message =
    code === "network" ? `no answer from the service: ${error.message}` : error.message;
  const words = isUsage ? `${message}\nSee postrider --help.` : message;
  const clean = words.split("\n").map(plain).join("\n");
  process.stderr.write(
    `${isJson ? JSON.stringify({ ...details, error: message, code }) : clean}\n`,
  );
  return isUsage ? 2 : 1;
}

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0); // `postrider logs | head`
});
const args = process.argv.slice(2);
try {
  await run(args);
} catch (error) {
  process.exitCode = fail(error, args.includes("--json"));
}
