// The complete service with a counter for every billed operation. `GET /bench/counts` returns the
// counts since its last call, `POST /bench/scheduled?cron=…` runs a schedule, and
// `POST /bench/ahead?ms=…` sets the clock of the service ahead. All requests come from one busy
// client; each open or click comes from its own location, as a separate message. Not for measuring
// time, because counting has overhead.
import service, { ProjectSender as RealLimiter } from "../../src/index.ts";
import type { Bindings } from "../../src/config.ts";
import type { TrackingMessage } from "../../src/queues/messages.ts";
import { runtime } from "../../src/runtime.ts";
import { countingD1, type D1Count } from "../../test/support/counting-d1.ts";

/** Billed operations; Durable Object rows cost the same as D1 rows. */
export interface Counts {
  /** Invocations: HTTP requests, queue batches, schedules. */
  requests: number;
  d1RoundTrips: number;
  d1RowsRead: number;
  d1RowsWritten: number;
  queueWrites: number;
  /** Messages delivered to a consumer, including each retry. */
  queueReads: number;
  durableRequests: number;
  durableRowsRead: number;
  durableRowsWritten: number;
  kvReads: number;
  kvWrites: number;
  logLines: number;
  /** Round trips to D1 that move people in automations, with their rows and statements. */
  moves: { roundTrips: number; rowsWritten: number; statements: number; mostStatements: number };
  /** Rows of events, and of the entries that they cause. */
  eventRowsWritten: number;
}

const none = (): Counts => ({
  requests: 0,
  d1RoundTrips: 0,
  d1RowsRead: 0,
  d1RowsWritten: 0,
  queueWrites: 0,
  queueReads: 0,
  durableRequests: 0,
  durableRowsRead: 0,
  durableRowsWritten: 0,
  kvReads: 0,
  kvWrites: 0,
  logLines: 0,
  moves: { roundTrips: 0, rowsWritten: 0, statements: 0, mostStatements: 0 },
  eventRowsWritten: 0,
});

/** An address that is not exempt like this machine's, so that limits by address count it. */
const CLIENT = "203.0.113.7";

let counts = none();
/** Statements of the current run of a sender that move people. */
let statementsOfRun = 0;
/** The databases of the Worker and of its Durable Objects. */
const databases: D1Count[] = [];

function countedQueue<Body>(real: Queue<Body>): Queue<Body> {
  return {
    send: (body: Body, options?: QueueSendOptions) => {
      counts.queueWrites += 1;
      return real.send(body, options);
    },
    sendBatch: (messages: Iterable<MessageSendRequest<Body>>, options?: QueueSendBatchOptions) => {
      const all = [...messages];
      counts.queueWrites += all.length;
      return real.sendBatch(all, options);
    },
  } as unknown as Queue<Body>;
}

/** Sends each visit as a separate message, as isolates with little traffic do. */
function spreadVisits(real: Queue<TrackingMessage>): Queue<TrackingMessage> {
  const queue = countedQueue(real);
  return {
    send: ({ type, events }: TrackingMessage) =>
      queue.sendBatch(events.map((event) => ({ body: { type, events: [event] } }))),
  } as unknown as Queue<TrackingMessage>;
}

function countedKv(real: KVNamespace): KVNamespace {
  return {
    get: (keys: string | string[], ...rest: []) => {
      counts.kvReads += Array.isArray(keys) ? keys.length : 1;
      return real.get(keys as string, ...rest);
    },
    put: (...input: Parameters<KVNamespace["put"]>) => {
      counts.kvWrites += 1;
      return real.put(...input);
    },
  } as unknown as KVNamespace;
}

/** Forwards and counts every call to a Durable Object. */
function countedObjects(real: Bindings["PROJECT_SENDER"]): Bindings["PROJECT_SENDER"] {
  const call = (id: DurableObjectId, name: string) => {
    const object = real.get(id) as unknown as Record<string, (...input: unknown[]) => unknown>;
    return (...input: unknown[]) => {
      counts.durableRequests += 1;
      return object[name]?.(...input);
    };
  };
  return {
    idFromName: (name: string) => real.idFromName(name),
    get: (id: DurableObjectId) => new Proxy({}, { get: (_object, name) => call(id, String(name)) }),
  } as unknown as Bindings["PROJECT_SENDER"];
}

for (const level of ["info", "warn", "error"] as const) {
  const write = console[level].bind(console);
  console[level] = (...words: unknown[]) => {
    counts.logLines += 1;
    write(...words);
  };
}

/** One wrapper per environment, because the service caches its settings by environment. */
const wrapped = new WeakMap<Bindings, Bindings>();

function counted(env: Bindings): Bindings {
  const known = wrapped.get(env);
  if (known) return known;
  const d1 = countingD1(env.DB);
  databases.push(d1);
  d1.counted = (sql, rowsWritten) => {
    const names = (table: string) => sql.some((statement) => statement.includes(table));
    if (names("insert into events")) counts.eventRowsWritten += rowsWritten;
    else if (names("automation_runs")) countMove(sql.length, rowsWritten);
  };
  const wrapping: Bindings = {
    ...env,
    DB: d1.database,
    KV: countedKv(env.KV),
    PROJECT_SENDER: countedObjects(env.PROJECT_SENDER),
    WAKE_QUEUE: countedQueue(env.WAKE_QUEUE),
    TRACKING_QUEUE: spreadVisits(env.TRACKING_QUEUE),
    WEBHOOK_QUEUE: countedQueue(env.WEBHOOK_QUEUE),
    BOUNCE_QUEUE: countedQueue(env.BOUNCE_QUEUE),
  };
  wrapped.set(env, wrapping);
  return wrapping;
}

function countMove(statements: number, rowsWritten: number): void {
  const { moves } = counts;
  moves.roundTrips += 1;
  moves.rowsWritten += rowsWritten;
  moves.statements += statements;
  statementsOfRun += statements;
  moves.mostStatements = Math.max(moves.mostStatements, statementsOfRun);
}

function takeCounts(): Counts {
  const taken = { ...counts };
  for (const database of databases) {
    taken.d1RoundTrips += database.roundTrips;
    taken.d1RowsRead += database.rowsRead;
    taken.d1RowsWritten += database.rowsWritten;
    database.reset();
  }
  counts = none();
  return taken;
}

/** Counts the statements of a Durable Object from their cursors as they run. */
function countedState(state: DurableObjectState): DurableObjectState {
  const { sql } = state.storage;
  const exec: SqlStorage["exec"] = (query, ...values) => {
    const cursor = sql.exec(query, ...values);
    const rows = cursor.toArray();
    counts.durableRowsRead += cursor.rowsRead;
    counts.durableRowsWritten += cursor.rowsWritten;
    const again = {
      toArray: () => rows,
      one: () => rows[0],
      [Symbol.iterator]: () => rows.values(),
    };
    return again as unknown as ReturnType<SqlStorage["exec"]> as never;
  };
  Object.defineProperty(state.storage, "sql", { value: { exec } });
  return state;
}

export class ProjectSender extends RealLimiter {
  constructor(state: DurableObjectState, env: Bindings) {
    super(countedState(state), counted(env));
  }

  override alarm(): Promise<void> {
    statementsOfRun = 0;
    return super.alarm();
  }
}

export default {
  async fetch(request, env, context) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/bench/counts") return Response.json(takeCounts());
    if (pathname === "/bench/ahead") {
      const ahead = Number(searchParams.get("ms"));
      runtime.now = () => Date.now() + ahead;
      return new Response();
    }
    counts.requests += 1;
    if (pathname === "/bench/scheduled") {
      const cron = searchParams.get("cron") ?? "";
      const controller = { cron, scheduledTime: Date.now(), noRetry: () => undefined };
      await service.scheduled(controller, counted(env), context);
      return new Response();
    }
    const headers = new Headers(request.headers);
    headers.set("CF-Connecting-IP", CLIENT);
    return service.fetch(new Request(request, { headers }), counted(env), context);
  },
  async queue(batch, env, context) {
    counts.requests += 1;
    counts.queueReads += batch.messages.length;
    await service.queue(batch, counted(env), context);
  },
  async scheduled(controller, env, context) {
    counts.requests += 1;
    await service.scheduled(controller, counted(env), context);
  },
} satisfies ExportedHandler<Bindings>;
