import { DurableObject } from "cloudflare:workers";
import type { Bindings } from "../config.ts";
import { buildDeps, type Deps } from "../deps.ts";
import { errorText, logLine } from "../lib/log-line.ts";
import type { SendingUse, VersionedLimits } from "../lib/rates/rate-types.ts";
import { SenderRates } from "../lib/rates/sender-rates.ts";
import type { Limit, Verdict } from "../lib/sliding-window.ts";
import type { Hit, SendCall, SendReply, SenderStatus, TestReply } from "../project-object.ts";
import { runtime } from "../runtime.ts";
import {
  BulkSender,
  openSingleSender,
  Outbox,
  type Gate,
  type SingleSender,
} from "../services/mailing/index.ts";
import { HitWindows } from "./hit-windows.ts";
import { Journal } from "./journal.ts";
import { rateStore } from "./rate-store.ts";
import { Turns } from "./turns.ts";

/** The wait before an object that died at work is at work again, in milliseconds. */
const TAKE_OVER_MS = 8_000;

/** The time in which mails are counted together. */
const COUNT_AFTER_MS = 250;

/**
 * The object of one project: its exact rate limits, and the sender of its mail, which alone opens
 * sessions to its server. The objects that count logins use the limits alone.
 */
export class ProjectSender extends DurableObject<Bindings> {
  readonly #hits: HitWindows;
  readonly #turns = new Turns();
  #rates: SenderRates | undefined;
  /** The sender of broadcasts and batches, and that of pending mails. */
  #bulk: BulkSender | undefined;
  #outbox: Outbox | undefined;
  #isAtWork = false;
  #storing: ReturnType<typeof setTimeout> | undefined;
  /** The sender of single mails and the sessions, from the first mail on. */
  single: Promise<SingleSender> | undefined;
  /** The clock of the sender. */
  #now = Date.now;
  /** The limits of the mail server, for those who send. */
  readonly gate: Gate = {
    connectionsMax: () => this.#ratesNow().connectionsMax(this.#now()),
    takeSingle: (name, mails) => this.#ratesNow().takeSingle(name, mails, this.#now()),
    takeBulk: (domain, pace) => this.#ratesNow().takeBulk(domain, pace, this.#now()),
    learn: (sign) => this.#ratesNow().learn(sign, this.#now()),
    waiting: 0,
  };

  constructor(state: DurableObjectState, env: Bindings) {
    super(state, env);
    this.#hits = new HitWindows(state.storage.sql);
  }

  /** Makes the sender look for work of its project, now or when it has done what is in hand. */
  async wake(projectId: string): Promise<void> {
    this.noteProject(projectId);
    if (!this.#isAtWork) return this.ctx.storage.setAlarm(Date.now());
    this.#bulk?.wake();
    if (this.single) await this.#sendOutbox(await this.#deps(), await this.single);
  }

  /** Keeps the id of the project, which the name of an object does not tell it. */
  noteProject(projectId: string): void {
    const { kv } = this.ctx.storage;
    if (kv.get("project") === undefined) kv.put("project", projectId);
  }

  /** Works for up to half a minute, and sets the time of the next run. */
  override async alarm(): Promise<void> {
    if (this.#isAtWork) return; // which sets the alarm at its end
    const { storage } = this.ctx;
    const stayAwake = () => storage.setAlarm(Date.now() + TAKE_OVER_MS);
    await stayAwake(); // in case this instance dies at work
    const renewal = setInterval(() => void stayAwake(), TAKE_OVER_MS / 2);
    try {
      const nextAt = await this.work(await this.#deps());
      clearInterval(renewal);
      await (nextAt === undefined ? storage.deleteAlarm() : storage.setAlarm(nextAt));
    } catch (error) {
      // The alarm that is set starts another run, which recovers from the journal.
      logLine("error", "sender_run_failed", { error: errorText(error) });
    } finally {
      clearInterval(renewal);
    }
  }

  /** Sends what is due. Returns the time at which more will be. */
  async work(deps: Deps): Promise<number | undefined> {
    const projectId = this.ctx.storage.kv.get<string>("project");
    if (projectId === undefined || this.#isAtWork) return undefined;
    this.#isAtWork = true;
    this.#now = deps.now;
    try {
      const single = await this.#openSingle(deps);
      const journal = () => new Journal(this.ctx.storage);
      const bulk = (this.#bulk ??= new BulkSender(projectId, journal(), this.gate));
      const first = await this.#sendOutbox(deps, single);
      const times = [first, await bulk.run(deps, single.pool)].map((at) => at ?? Infinity);
      const next = Math.min(...times);
      return next === Infinity ? undefined : next;
    } finally {
      this.#isAtWork = false;
    }
  }

  /** Begins the pending mails that are due. Returns when others will be. */
  #sendOutbox(deps: Deps, single: SingleSender): Promise<number | undefined> {
    const projectId = this.ctx.storage.kv.get<string>("project") ?? "";
    this.#outbox ??= new Outbox(projectId);
    return this.#outbox.run(deps, single);
  }

  /** Waits for the pending mails on their way. */
  async idle(): Promise<void> {
    await this.#outbox?.idle();
  }

  /** Judges and counts one hit. It runs synchronously, so two calls never see the same count. */
  take(bucket: string, limit: Limit): Verdict {
    return this.#hits.takeAll([[bucket, limit]]);
  }

  /**
   * Judges one hit against several limits. It counts for all of them, or for none if one refuses.
   */
  takeAll(hits: [Hit, ...Hit[]]): Verdict {
    return this.#hits.takeAll(hits);
  }

  /** Waits until no other read of many rows runs. Returns the number of the turn. */
  beginTurn(): Promise<number> {
    return this.#turns.begin();
  }

  endTurn(turn: number): void {
    this.#turns.end(turn);
  }

  /**
   * Takes over newer limits of the project's server. Returns its use and what the sender does at
   * this moment.
   */
  async limitSending(limits: VersionedLimits): Promise<SendingUse & { sender: SenderStatus }> {
    const rates = this.#ratesNow();
    rates.configure(limits);
    const pool = (await this.single)?.pool;
    await pool?.shrink(rates.connectionsMax(this.#now()));
    const sender = await this.#status(pool);
    return { ...rates.use(sender.connections, this.#now()), sender };
  }

  async #status(pool: SingleSender["pool"] | undefined): Promise<SenderStatus> {
    const nextAtMs = this.#isAtWork ? null : await this.ctx.storage.getAlarm();
    const { inFlight = 0, waiting = 0, cooldown = null } = pool?.status ?? {};
    return {
      inFlight,
      waiting: waiting + this.gate.waiting + (this.#outbox?.waiting ?? 0),
      connections: pool?.connections ?? 0,
      work: this.#bulk?.work ?? null,
      nextAtMs,
      cooldown,
    };
  }

  /**
   * Counts a hit, then sends and records one mail. The row of the hit is written while the mail is
   * on its way: if it were written before, the mail would wait until the disk has the row.
   */
  async send(call: SendCall): Promise<SendReply> {
    const verdict = call.hit && this.#hits.count([call.hit]);
    if (verdict?.allowed === false) return { kind: "limited", verdict };
    this.#ratesNow().configure(call.sending);
    if (this.#storing === undefined) this.#storing = setTimeout(() => this.#storeHits());
    try {
      return { ...(await (await this.#openSingle()).send(call)), verdict };
    } finally {
      this.#hits.store(); // at the latest before the answer
    }
  }

  /** Sends and records a mail step by step, over a session of its own. */
  async sendTest(call: SendCall): Promise<TestReply> {
    this.#ratesNow().configure(call.sending);
    return (await this.#openSingle()).sendTest(call);
  }

  #storeHits(): void {
    this.#storing = undefined;
    this.#hits.store();
  }

  /** Ends the SMTP sessions after the mail that they carry: the settings have changed. */
  async endSessions(): Promise<void> {
    this.stop();
    await (await this.single)?.pool.end();
  }

  /** Makes the sender hand over no more mails of what it is at, and look at its work anew. */
  stop(): void {
    this.#bulk?.stop();
  }

  #deps(): Promise<Deps> {
    const { ctx, env } = this;
    return buildDeps(env, (work) => ctx.waitUntil(work), runtime);
  }

  /** Opens the sender of single mails. Throws misconfigured while a setting is missing. */
  async #openSingle(given?: Deps): Promise<SingleSender> {
    const open = async () => {
      const deps = given ?? (await this.#deps());
      return openSingleSender(deps, this.gate);
    };
    this.single ??= open();
    try {
      return await this.single;
    } catch (error) {
      this.single = undefined;
      logLine("error", "sender_not_opened", { error: errorText(error) });
      throw error;
    }
  }

  /** Objects that count logins alone have no rates and no tables for them. */
  #ratesNow(): SenderRates {
    return (this.#rates ??= new SenderRates(
      rateStore(this.ctx.storage.sql),
      this.#now(),
      (work) => void setTimeout(work, COUNT_AFTER_MS),
    ));
  }
}
