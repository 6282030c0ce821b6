export {
  cancelAutomationMails,
  freezeAutomationMail,
  moveAutomationMails,
} from "./automation-mails.ts";
export {
  archiveExists,
  selectArchived,
  selectArchivedPage,
  type ArchivedRow,
} from "./archive/archive-queries.ts";
export { readArchiveState, setInArchive, type ArchiveState } from "./archive/set-in-archive.ts";
export { BAD_ADDRESS, pauseReason, problemIn } from "./auto-pause.ts";
export { releaseChunk, splitDeferred } from "./chunk-ends.ts";
export { finishChunk } from "./finish.ts";
export {
  chunkAwaits,
  chunkHeld,
  claimChunk,
  recordChunk,
  selectHeldChunk,
  type ChunkRow,
} from "./chunk-queries.ts";
export { readAhead, readByIds, type Page, type Recipient } from "./claim-queries.ts";
export {
  cancelBroadcast,
  getBroadcast,
  pauseBroadcast,
  resumeBroadcast,
  startBroadcast,
  type BroadcastProgress,
} from "./control-broadcast.ts";
export { selectDueWork, type DueWork } from "./due-work.ts";
export { createDraft, duplicateBroadcast } from "./drafts/create-draft.ts";
export { deleteDraft } from "./drafts/delete-draft.ts";
export {
  EMPTY_DRAFT,
  inputOf,
  isDraftRow,
  type DraftInput,
  type DraftRow,
} from "./drafts/draft-input.ts";
export { freezeAudience } from "./drafts/freeze-audience.ts";
export { freezeDraft, type FixedDraft } from "./drafts/freeze-draft.ts";
export { resendBroadcast } from "./drafts/resend-broadcast.ts";
export { startDraft, undoStart } from "./drafts/start-draft.ts";
export { startTime } from "./drafts/start-time.ts";
export { updateDraft } from "./drafts/update-draft.ts";
export { stateConflict } from "./state-conflict.ts";
export { paceOf } from "./pace.ts";
export { selectViewed } from "./select-viewed.ts";
export { activeOf, runsDueAt, walkDueAt } from "./due-automations.ts";
export { pauseAutomationByItself } from "./pause-automation-by-itself.ts";
export { pauseByItself } from "./pause-by-itself.ts";
export { planBroadcast } from "./plan-broadcast.ts";
export { LIST_SIZE } from "./plan-queries.ts";
export { audience, membersBeforeConsent, selectBroadcast, type BroadcastRow } from "./queries.ts";
export { firstMoment } from "./time-zones/due-times.ts";
export { readAbTest, type AbTest } from "./ab-test/read-ab-test.ts";
export { chooseWinner } from "./ab-test/decide-ab-tests.ts";
export { variantLetter } from "./ab-test/judge-ab-test.ts";
export { selectVariant } from "./ab-test/variant-queries.ts";
export { startNamedBroadcast, type NamedBroadcast } from "./start-named-broadcast.ts";
export { readRecentMails, subscriberReads } from "./subscriber-mails.ts";
export { sweepBroadcasts } from "./sweep-broadcasts.ts";
export { followBroadcast, waitUntilOver } from "./wait-for-broadcast.ts";
export { deliveryReportOf, waitingOf, type DeliveryReport } from "./delivery-report.ts";
export { listBroadcasts, type ListedBroadcast } from "./list-broadcasts.ts";
export { readContent, type Content } from "./read-content.ts";
export { readSnapshot } from "./read-snapshot.ts";
export { listRecipients, OUTCOMES, type Outcome, type RecipientRow } from "./list-recipients.ts";
export { REACTIONS, selectCandidates, type Reaction } from "./recipient-queries.ts";
export { selectOpenCounts, selectProjectBroadcast } from "./queries.ts";
export { eraseFailures, selectBatchEnd } from "./erase-failures.ts";
export { eraseWaiting } from "./erase-waiting.ts";
export { selectVisits, visitsOf, type Visits } from "./visit-queries.ts";
