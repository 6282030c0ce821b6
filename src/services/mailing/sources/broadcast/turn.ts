import type { Deps } from "../../../../deps.ts";
import type { BatchReport } from "../batch/batch-report.ts";
import { paceOf, type BroadcastRow } from "../../../broadcasts/index.ts";
import { SendingLine } from "../../../sending/index.ts";
import type { StorageRow } from "../../../storage/index.ts";
import type { AutoPause } from "../../ledger.ts";
import type { TurnLimits } from "./attempts.ts";
import type { BroadcastContent } from "./chunk-mails.ts";

/** The state that the chunks of one turn share. */
export interface Turn {
  broadcast: BroadcastRow;
  /** Returns the time at which the worker releases its current chunk, in milliseconds. */
  deadline: () => number;
  line: SendingLine;
  /** The time for which the worker waits for a connection that others hold. */
  lineWaitMs: number;
  chunksLeft: number;
  statementsLeft: number;
  /** True once the worker has finished all that one turn allows, so that other workers continue. */
  isFull: boolean;
  /** The fill level of the database at the start of the turn. */
  storage: StorageRow | undefined;
  content?: BroadcastContent;
  autoPause?: AutoPause;
  /** The outcomes of a batch, for the request that waits for them. */
  report?: BatchReport;
}

/** Begins a turn with a broadcast or batch. */
export function openTurn(
  deps: Deps,
  broadcast: BroadcastRow,
  storage: StorageRow | undefined,
  limits: TurnLimits,
): Turn {
  const deadline = deps.now() + limits.workMs;
  return {
    broadcast,
    deadline: () => deadline,
    line: new SendingLine(deps, paceOf(broadcast)),
    lineWaitMs: 0,
    chunksLeft: limits.chunks,
    statementsLeft: limits.statements,
    isFull: false,
    storage,
  };
}
