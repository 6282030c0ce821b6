import { DurableObject } from "cloudflare:workers";
import type { Bindings } from "../config.ts";
import { buildDeps } from "../deps.ts";
import { errorText, logLine } from "../lib/log-line.ts";
import type {
  MailsTo,
  PermitAsk,
  PermitGrant,
  SendingUse,
  VersionedLimits,
} from "../lib/permits/permit-messages.ts";
import { Permits } from "../lib/permits/permits.ts";
import type { Limit, Verdict } from "../lib/sliding-window.ts";
import type { Hit, HubCall, HubReply } from "../project-object.ts";
import { runtime } from "../runtime.ts";
import { openHub, takeTurn, type Gate, type Hub } from "../services/mailing/index.ts";
import { HitWindows } from "./hit-windows.ts";
import { permitStore } from "./permit-store.ts";
import { Turns } from "./turns.ts";

/** The time in which mails that no rate limits are counted together. */
const COUNT_AFTER_MS = 2_000;

/**
 * The object of one project: its exact rate limits, the permits of its mail server, and the hub
 * that sends its single mails. The objects that count logins use the limits alone.
 */
export class ProjectLimiter extends DurableObject<Bindings> {
  readonly #hits: HitWindows;
  readonly #turns = new Turns();
  #permits: Permits | undefined;
  /** Mails that went while no rate was limited, to be counted soon. */
  #uncounted = 0;
  #counting: ReturnType<typeof setTimeout> | undefined;
  #storing: ReturnType<typeof setTimeout> | undefined;
  /** The hub, from the first mail on. */
  hub: Promise<Hub> | undefined;
  /** The limits of the mail server, for the hub. */
  readonly gate: Gate = {
    connectionsMax: (open, wanted) => this.#permitsNow().allowSingles(open, wanted, Date.now()),
    areWorkersConnected: () => this.#permitsNow().areWorkersConnected(Date.now()),
    takeMails: (name, mails) => this.#takeMails(name, mails),
    learn: (sign) => {
      this.#countUnlimited(); // a refused rate is that of the mails so far
      this.#permitsNow().learn(sign, Date.now());
    },
  };

  constructor(state: DurableObjectState, env: Bindings) {
    super(state, env);
    this.#hits = new HitWindows(state.storage.sql);
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
   * Gives a worker that sends to many recipients its connections and its permits for mails
   * (services/sending). Idle sessions of single mails make room for it.
   */
  async askPermit(ask: PermitAsk): Promise<PermitGrant> {
    const permits = this.#permitsNow();
    const hub = await this.hub;
    hub?.connectionsMax();
    this.#countUnlimited();
    permits.note(ask, Date.now()); // the server may have taught how many connections there are
    if (hub && ask.connections > 0) await hub.shrink(permits.keptForSingles(Date.now()));
    hub?.connectionsMax();
    return permits.answer(ask, Date.now());
  }

  /** Takes over newer limits of the project's server. Returns its use at this moment. */
  async limitSending(limits: VersionedLimits): Promise<SendingUse> {
    const permits = this.#permitsNow();
    permits.configure(limits);
    const hub = await this.hub;
    await hub?.shrink(hub.connectionsMax());
    this.#countUnlimited();
    return permits.use(Date.now());
  }

  /** Waits for the permit of a single mail that a Worker sends by itself. */
  admitSingle(name: string, recipients: string[], limits: VersionedLimits): Promise<number> {
    this.#permitsNow().configure(limits);
    return takeTurn(this.gate, name, recipients);
  }

  /**
   * Counts a hit, then sends and settles one mail. The row of the hit is written while the mail is
   * on its way: if it were written before, the mail would wait until the disk has the row.
   */
  async send(call: HubCall): Promise<HubReply> {
    const opening = this.#open();
    const verdict = call.hit && this.#hits.count([call.hit]);
    if (verdict?.allowed === false) return { kind: "limited", verdict };
    this.#permitsNow().configure(call.sending);
    if (this.#storing === undefined) this.#storing = setTimeout(() => this.#storeHits());
    try {
      const hub = await opening;
      return { ...(hub ? await hub.send(call) : { kind: "busy" }), verdict };
    } finally {
      this.#hits.store(); // at the latest before the answer
    }
  }

  #storeHits(): void {
    this.#storing = undefined;
    this.#hits.store();
  }

  /** Ends the SMTP sessions, after the mail that they carry. */
  async endSessions(): Promise<void> {
    await (await this.hub)?.endSessions();
  }

  /** Returns the hub; undefined while a setting is missing, which the Worker reports. */
  async #open(): Promise<Hub | undefined> {
    const { ctx, env } = this;
    this.hub ??= buildDeps(env, (work) => ctx.waitUntil(work), runtime).then((deps) =>
      openHub(deps, this.gate),
    );
    try {
      return await this.hub;
    } catch (error) {
      this.hub = undefined;
      logLine("error", "hub_not_opened", { error: errorText(error) });
      return undefined;
    }
  }

  #takeMails(name: string, mails: MailsTo[]): number {
    const permits = this.#permitsNow();
    const now = Date.now();
    if (permits.isLimited(now)) return permits.takeSingle(name, mails, now);
    this.#uncounted += mails.reduce((sum, [, count]) => sum + count, 0);
    this.#counting ??= setTimeout(() => this.#countUnlimited(), COUNT_AFTER_MS);
    return 0;
  }

  /** Counts the mails that went without permits: one row for many. */
  #countUnlimited(): void {
    clearTimeout(this.#counting);
    this.#counting = undefined;
    if (this.#uncounted > 0) this.#permitsNow().countUnlimited(this.#uncounted, Date.now());
    this.#uncounted = 0;
  }

  /** Objects that count logins alone have no permits and no tables for them. */
  #permitsNow(): Permits {
    return (this.#permits ??= new Permits(permitStore(this.ctx.storage.sql), Date.now()));
  }
}
