import type { Ctx } from "../../../../context.ts";
import { AppError } from "../../../../errors.ts";
import type { VersionedLimits } from "../../../../lib/permits/permit-messages.ts";
import type { HubReply, Placed } from "../../../../project-object.ts";
import type { Sender } from "../../../projects/index.ts";
import { countHit, limitRefusal, noteVerdict, type OpenHit } from "../../../limits/index.ts";
import { admitSingle } from "../../../sending/index.ts";
import { deliverOne } from "../../deliver.ts";
import type { SendSession } from "../../servers/send-over-servers.ts";
import type { SendAnswer } from "../answers.ts";
import { singleLedger, type ReadyMail } from "./single-ledger.ts";
import { SlowServer } from "./slow-server.ts";
import { isHubSized, visitHub } from "./visit-hub.ts";

/** A composed mail that is about to be sent. */
interface Dispatch {
  project: Placed;
  sending: VersionedLimits;
  sender: Sender;
  mail: ReadyMail;
  /** The hit of the call that causes the mail, if it is not counted yet. */
  hit: OpenHit | undefined;
  /** True for a pending mail, which may wait for the hub. */
  isPending?: boolean | undefined;
}

/**
 * Sends and settles one mail through the hub of its project. If the hub is busy or does not answer,
 * this invocation sends the mail itself. A large mail never goes through the hub, because the hub's
 * isolate shares its memory. A pending mail, which may wait, goes through the hub at any size, and
 * waits for a busy one. Throws rate_limited, SlowServer for a pending mail, and the errors of the
 * ledger.
 */
export async function deliverSingle(ctx: Ctx, dispatch: Dispatch): Promise<SendAnswer> {
  const { project, sending, sender, mail, hit, isPending } = dispatch;
  if (!isPending && !isHubSized(mail.message)) return deliverDirectly(ctx, dispatch);
  const { smtp, fallback, suppressOnAny5xx } = sender;
  const servers = { sending, smtp, fallback, suppressOnAny5xx };
  const visit = { projectId: project.id, ...servers, hit: hit?.hit, isPending, ...mail };
  const reply = await visitHub(ctx, project, visit);
  if (hit && reply.kind !== "unreachable") noteVerdict(hit, reply.verdict);
  switch (reply.kind) {
    case "answered":
      return reply.answer;
    case "limited":
      throw limitRefusal("rate_limited", reply.verdict);
    case "refused":
      throw refusalIn(reply);
    case "failed":
      throw new Error(reply.error);
    case "lost":
      return reply.answer;
    case "slow":
    case "under_way":
      throw new SlowServer(reply.kind === "under_way");
    case "busy":
      if (isPending) throw new SlowServer(false);
      return deliverDirectly(ctx, dispatch);
    case "unreachable":
      return deliverDirectly(ctx, dispatch);
  }
}

type Refused = Extract<HubReply, { kind: "refused" }>;

function refusalIn({ code, params, message, retryAfterSeconds }: Refused) {
  const details = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return new AppError(code, message, details, params);
}

/** Sends one mail over its own session, or by `send`, and settles it. */
export async function deliverDirectly(
  ctx: Ctx,
  { project, sending, sender, mail, hit }: Dispatch,
  send?: SendSession,
): Promise<SendAnswer> {
  if (hit) await countHit(ctx, project.id, hit);
  const asked = { name: mail.mail.logId, recipients: mail.message.envelope.to, limits: sending };
  if (!mail.isSuppressed) await admitSingle(ctx.deps, project.id, asked);
  const ledger = singleLedger(ctx, project.id, mail);
  await deliverOne(ctx.deps, sender, ledger, send);
  return ledger.answer();
}
