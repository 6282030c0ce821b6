import { DurableObject } from "cloudflare:workers";
import type { Bindings } from "../config.ts";
import { buildDeps } from "../deps.ts";
import { errorText, logLine } from "../lib/log-line.ts";
import type {
  PermitAsk,
  PermitGrant,
  SendingUse,
  VersionedLimits,
} from "../lib/permits/permit-messages.ts";
import { Permits } from "../lib/permits/permits.ts";
import type { Limit, Verdict } from "../lib/sliding-window.ts";
import type { Hit, HubCall, HubReply } from "../project-object.ts";
import { runtime } from "../runtime.ts";
import { openHub, type Hub } from "../services/mailing/index.ts";
import { HitWindows } from "./hit-windows.ts";
import { permitStore } from "./permit-store.ts";

/**
 * The object of one project: its exact rate limits, the permits of its mail server, and the hub that
 * sends its single mails. The objects that count logins use the limits alone.
 */
export class ProjectLimiter extends DurableObject<Bindings> {
  readonly #hits: HitWindows;
  #permits: Permits | undefined;
  /** The hub, from the first mail on. */
  hub: Promise<Hub> | undefined;

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

  /** Gives a worker that sends to many its connections and mails (services/sending). */
  askPermit(ask: PermitAsk): PermitGrant {
    return this.#permitsNow().ask(ask, Date.now());
  }

  /** Takes over newer limits of the project's server. Returns its use at this moment. */
  limitSending(limits: VersionedLimits): SendingUse {
    const permits = this.#permitsNow();
    permits.configure(limits);
    return permits.use(Date.now());
  }

  /** Counts a hit, then sends and settles one mail. */
  async send(call: HubCall): Promise<HubReply> {
    const opening = this.#open();
    const verdict = call.hit && this.#hits.takeAll([call.hit]);
    if (verdict?.allowed === false) return { kind: "limited", verdict };
    const hub = await opening;
    return { ...(hub ? await hub.send(call) : { kind: "busy" }), verdict };
  }

  /** Ends the SMTP sessions, after the mail that they carry. */
  async endSessions(): Promise<void> {
    await (await this.hub)?.endSessions();
  }

  /** Returns the hub; undefined while a setting is missing, which the Worker reports. */
  async #open(): Promise<Hub | undefined> {
    const { ctx, env } = this;
    this.hub ??= buildDeps(env, (work) => ctx.waitUntil(work), runtime).then(openHub);
    try {
      return await this.hub;
    } catch (error) {
      this.hub = undefined;
      logLine("error", "hub_not_opened", { error: errorText(error) });
      return undefined;
    }
  }

  /** Objects that count logins alone have no permits and no tables for them. */
  #permitsNow(): Permits {
    return (this.#permits ??= new Permits(permitStore(this.ctx.storage.sql), Date.now()));
  }
}
