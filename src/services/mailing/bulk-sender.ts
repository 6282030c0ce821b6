import { runBatch } from "../../db/client.ts";
import type { Deps } from "../../deps.ts";
import type { SmtpPool } from "../../mail/smtp/index.ts";
import {
  claimChunk,
  paceOf,
  planBroadcast,
  selectBroadcast,
  selectDueWork,
  type BroadcastRow,
  type DueWork,
} from "../broadcasts/index.ts";
import { runAutomations } from "../automations/index.ts";
import type { BulkWork } from "../../project-object.ts";
import { selectProject } from "../projects/index.ts";
import { selectStorage } from "../storage/index.ts";
import type { Gate } from "./gate.ts";
import type { MailJournal } from "./journal.ts";
import { sendBatchChunk } from "./sources/batch/send-batch-chunk.ts";
import { sendBroadcastChunk } from "./sources/broadcast/send-broadcast-chunk.ts";
import { recoverChunk } from "./sources/chunks/recover-chunk.ts";
import { TURN_MS, type Slice } from "./sources/chunks/slice.ts";

/** The most time and D1 statements of one run: the platform allows an invocation 1,000 queries. */
const RUN = { ms: 30_000, statements: 500 };

/** The statements of a run that automations may use, so that mail goes out beside them. */
const MOVE_STATEMENTS = 150;

/** The statements that a piece of work takes besides those of its mails. */
const STEP_STATEMENTS = 12;

/** Sends the broadcasts and batches of a project, one chunk at a time. */
export class BulkSender {
  readonly #projectId: string;
  readonly #journal: MailJournal;
  readonly #gate: Gate;
  readonly #autoPauses: Slice["autoPauses"] = new Map();
  #content: Slice["content"];
  /** The broadcast or batch in hand. */
  work: BulkWork | null = null;
  /** True once there may be other work than that in hand. */
  #isWoken = false;
  /** True once the work in hand is to stop. */
  #isStopped = false;

  constructor(projectId: string, journal: MailJournal, gate: Gate) {
    this.#projectId = projectId;
    this.#journal = journal;
    this.#gate = gate;
  }

  /** Makes a run look for work again. */
  wake(): void {
    this.#isWoken = true;
  }

  /** Makes a run give back what it has not handed over, and look at its work anew. */
  stop(): void {
    this.#isStopped = true;
    this.#isWoken = true;
  }

  /**
   * Works for up to 30 seconds. Returns the time at which to run again, in milliseconds; undefined
   * if nothing is left to do. Throws the errors of D1; the next run then recovers from the journal.
   */
  async run(deps: Deps, pool: SmtpPool): Promise<number | undefined> {
    try {
      return await this.#run(deps, pool);
    } finally {
      this.work = null;
    }
  }

  async #run(deps: Deps, pool: SmtpPool): Promise<number | undefined> {
    const left = this.#journal.left();
    if (left) await recoverChunk(deps, this.#journal, left);
    const endsAt = deps.now() + RUN.ms;
    const budget = { statements: RUN.statements };
    const moves = { statements: MOVE_STATEMENTS };
    const isSpent = () => deps.now() >= endsAt || budget.statements <= 0;
    /** Steps of planning that had nothing to do, until something else has changed. */
    const idle = new Set<string>();
    for (;;) {
      this.#isWoken = false;
      const now = deps.now();
      const work = await selectDueWork(deps.db, this.#projectId, now);
      budget.statements -= 1;
      const isOpen = (one: DueWork) =>
        one.ofAutomations === 1 ? moves.statements > 0 : !isIdle(idle, one);
      const due = work.filter((one) => one.dueAt <= now && isOpen(one));
      const nextAt = work.find((one) => one.dueAt > now)?.dueAt;
      if (due.length === 0 && !this.#isWoken) return moves.statements > 0 ? nextAt : deps.now();
      if (due.some(({ ofAutomations }) => ofAutomations === 1)) {
        if (isSpent()) return deps.now();
        const before = moves.statements;
        await runAutomations(deps, this.#projectId, moves);
        budget.statements -= before - moves.statements;
        idle.clear();
        continue; // their mails are due
      }
      for (const one of due) {
        if (isSpent()) return deps.now();
        budget.statements -= STEP_STATEMENTS;
        if (one.afterId === null) {
          if (await planBroadcast(deps, one.broadcastId)) break; // its chunks may be due
          idle.add(one.broadcastId);
          continue;
        }
        const turnEndsAt = deps.now() + TURN_MS;
        const hasOthers = () => this.#isWoken || due.length > 1;
        const isOver = () =>
          isSpent() || this.#isStopped || (deps.now() >= turnEndsAt && hasOthers());
        const line = (of: BroadcastRow) => ({ pool, gate: this.#gate, pace: paceOf(of) });
        await this.#send(deps, one, { isOver, budget, openLine: line });
        idle.clear();
        if (this.#isWoken) break;
      }
    }
  }

  async #send(
    deps: Deps,
    { broadcastId, afterId }: DueWork,
    turn: Pick<Slice, "isOver" | "budget" | "openLine">,
  ): Promise<void> {
    const { db, now } = deps;
    this.#isStopped = false;
    const claim = { broadcastId, afterId: afterId ?? "", leaseToken: deps.newId() };
    this.#journal.begin(claim);
    const [[chunk], [broadcast], [project], [storage]] = await runBatch(db, [
      claimChunk(db, claim, now()),
      selectBroadcast(db, broadcastId),
      selectProject(db, this.#projectId),
      selectStorage(db),
    ]);
    if (chunk && broadcast) {
      this.work = workOf(broadcast);
      const slice: Slice = {
        journal: this.#journal,
        ...turn,
        autoPauses: this.#autoPauses,
        ...(this.#content ? { content: this.#content } : {}),
      };
      const send = broadcast.kind === "batch" ? sendBatchChunk : sendBroadcastChunk;
      await send(deps, slice, { broadcast, chunk, project, storage });
      this.#content = slice.content;
    }
    this.#journal.end();
  }
}

const workOf = ({ kind, id, name, subject }: BroadcastRow): BulkWork => ({
  kind: kind === "batch" ? "batch" : "broadcast",
  id,
  name: name || subject,
});

const isIdle = (idle: ReadonlySet<string>, { broadcastId, afterId }: DueWork) =>
  afterId === null && idle.has(broadcastId);
