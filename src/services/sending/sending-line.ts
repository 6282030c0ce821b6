import type { Deps } from "../../deps.ts";
import type { MailsTo, PermitGrant, Pace, Sign, Wait } from "../../lib/permits/permit-messages.ts";
import { SessionPool } from "../../mail/smtp/index.ts";
import type { ProjectRow } from "../access/index.ts";
import { askPermits, expectUnavailable } from "./ask-permits.ts";
import { MailStock, type HeldBack, type LineWait } from "./mail-stock.ts";
import { limitsOf } from "./sending-settings.ts";

/**
 * The connections that one worker asks for. The platform allows 6 per invocation, and the database
 * needs the rest.
 */
const CONNECTIONS = 4;

/**
 * The idle time, as between two chunks, after which a session must answer before it carries a mail.
 */
const CHECK_AFTER_MS = 1_000;

/** The number of calls during a lease, so that a failed one costs no connection. */
const RENEWALS_A_LEASE = 3;

/** The wait while the project's object does not answer. */
const NO_ANSWER: LineWait = { waitMs: 30_000, comesBack: true, hasNoLine: true };

/** The answer to a mail: it may go now, or has to wait, or its sender does not wait any longer. */
export type Admission = "go" | "interrupted" | "too_late" | HeldBack;

/**
 * The line from one worker to a project's mail server: its SMTP sessions, and the permits of the
 * project for its connections and mails. One delivery uses it at a time.
 */
export class SendingLine {
  readonly pool = new SessionPool(CHECK_AFTER_MS);
  readonly #deps: Deps;
  readonly #worker: string;
  readonly #stock = new MailStock();
  #project: ProjectRow | undefined;
  #grant: PermitGrant | undefined;
  #leaseEndsMs = 0;
  /** Mails handed over without a permit, and refusals of the server, for the next call. */
  #uncounted = 0;
  #signs: Sign[] = [];
  /** The last call: they run one at a time. */
  #calling: Promise<unknown> = Promise.resolve();
  /** The running call for mails, if any. */
  #asking: Promise<void> | undefined;
  #renewal: ReturnType<typeof setInterval> | undefined;

  readonly #pace: Pace | undefined;

  /** `pace` holds the limits of the broadcast that uses the line. */
  constructor(deps: Deps, pace?: Pace) {
    this.#deps = deps;
    this.#pace = pace;
    this.#worker = deps.newId();
  }

  /** The connections that the worker may hold now. */
  get connections(): number {
    return this.#grant?.connections ?? 0;
  }

  /**
   * Asks for connections, unless the worker holds some under the limits that the project has now.
   * Returns the wait if there are none.
   */
  async open(project: ProjectRow): Promise<Wait | undefined> {
    const isSame = this.#project?.sendingVersion === project.sendingVersion;
    this.#project = project;
    if (isSame && this.connections > 0) return undefined;
    try {
      const grant = await this.#call(project, CONNECTIONS, []);
      if (grant.connections === 0) return grant;
      this.#renewal ??= setInterval(() => void this.refresh(), grant.leaseMs / RENEWALS_A_LEASE);
      return undefined;
    } catch (error) {
      expectUnavailable(error);
      return NO_ANSWER;
    }
  }

  /** Asks for connections until there is one, for up to `forMs`. Returns the wait if none came. */
  async openWithin(project: ProjectRow, forMs: number): Promise<Wait | undefined> {
    for (let waitedMs = 0; ;) {
      const wait = await this.open(project);
      if (!wait || waitedMs + wait.waitMs > forMs) return wait;
      await pause(wait.waitMs);
      waitedMs += wait.waitMs;
    }
  }

  /**
   * Waits for the permit of one mail. Returns the wait instead if that would take long, "too_late"
   * once `isOver` returns true, or "interrupted" when that comes first. `ahead` returns the domains
   * of the mails that follow; one call asks for all of them.
   */
  async admit(
    domain: string,
    ahead: () => string[],
    interrupted: Promise<void>,
    isOver = () => false,
  ): Promise<Admission> {
    for (;;) {
      const now = this.#deps.now();
      const grant = now < this.#leaseEndsMs ? this.#grant : undefined;
      if (grant?.connections === 0) {
        const { waitMs, comesBack } = grant;
        return { waitMs, comesBack, isOfDomain: false, hasNoLine: true };
      }
      if (grant?.isLimited === false) {
        this.#uncounted += 1;
        return "go";
      }
      if (grant && this.#stock.take(domain, now)) return "go";
      const wait = this.#stock.waitOf(domain, now);
      if (wait && !wait.over) return wait;
      if (isOver()) return "too_late";
      const change = wait?.over ?? this.#answerFor(domain, ahead);
      const isInterrupted = interrupted.then(() => true);
      if (await Promise.race([change.then(() => false), isInterrupted])) return "interrupted";
    }
  }

  /** Notes a refusal of the server for the next call. */
  saw(sign: Sign): void {
    const earlier = this.#signs.find(({ about }) => about === sign.about);
    if (!earlier) this.#signs.push(sign);
    else if (sign.open !== undefined) earlier.open = Math.min(earlier.open ?? sign.open, sign.open);
  }

  /** Reports what the server refused, and asks for the connections that are left. */
  async refresh(): Promise<void> {
    if (this.#project) await this.#call(this.#project, CONNECTIONS, []).catch(expectUnavailable);
  }

  /** Ends the sessions and gives everything back. What the project does not hear of lapses. */
  async close(): Promise<void> {
    clearInterval(this.#renewal);
    await this.pool.close();
    const hasNothing = this.connections === 0 && this.#uncounted === 0 && this.#stock.isEmpty;
    if (!this.#project || (hasNothing && this.#signs.length === 0)) return;
    await this.#call(this.#project, 0, []).catch(expectUnavailable);
  }

  /** Asks for a mail and those ahead, unless such a call runs. Never throws. */
  #answerFor(domain: string, ahead: () => string[]): Promise<void> {
    if (!this.#project) throw new Error("the line is not open");
    this.#asking ??= this.#call(this.#project, CONNECTIONS, [domain, ...ahead()])
      .then(
        () => undefined,
        (error: unknown) => {
          expectUnavailable(error);
          this.#stock.wait(NO_ANSWER, this.#deps.now());
        },
      )
      .finally(() => {
        this.#asking = undefined;
      });
    return this.#asking;
  }

  #call(project: ProjectRow, connections: number, domains: string[]): Promise<PermitGrant> {
    const call = () => this.#ask(project, connections, domains);
    const answer = this.#calling.then(call, call);
    this.#calling = answer.catch(() => undefined); // whoever asked hears of the error
    return answer;
  }

  async #ask(project: ProjectRow, connections: number, domains: string[]): Promise<PermitGrant> {
    const now = this.#deps.now();
    const [uncounted, signs] = [this.#uncounted, this.#signs];
    [this.#uncounted, this.#signs] = [0, []];
    const ask = {
      ...limitsOf(project),
      worker: this.#worker,
      pace: this.#pace,
      connections,
      wanted: countsOf(domains),
      unused: this.#stock.takeOut(now, connections === 0),
      uncounted,
      signs,
    };
    try {
      const grant = await askPermits(this.#deps, project.id, (object) => object.askPermit(ask));
      this.#grant = grant;
      this.#leaseEndsMs = now + grant.leaseMs;
      this.#stock.add(grant.mails, now + grant.freshMs, now);
      return grant;
    } catch (error) {
      this.#uncounted += uncounted;
      signs.forEach((sign) => this.saw(sign));
      throw error;
    }
  }
}

/** Counts domains, the first one first. */
function countsOf(domains: string[]): MailsTo[] {
  const counts = new Map<string, number>();
  for (const domain of domains) counts.set(domain, (counts.get(domain) ?? 0) + 1);
  return [...counts];
}

const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms));
