import { Hono } from "hono";
import { refusal } from "../../errors.ts";
import type { EmailAddress } from "../../mail/address.ts";
import { selectProject } from "../../services/projects/index.ts";
import {
  readSubscription,
  resubscribe,
  unsubscribe,
  type Subscription,
} from "../../services/subscribers/index.ts";
import { personProof } from "../../services/topics/index.ts";
import { suppressLeaver } from "../../services/suppressions/index.ts";
import {
  isProgram,
  isUndoToken,
  openAddressToken,
  undoToken,
} from "../../services/tracking/index.ts";
import type { HttpContext, HttpEnv } from "../http-env.ts";
import { isUuid } from "../../lib/ids.ts";
import { refusalOf } from "../render-errors.ts";
import { isPrefetch } from "./prefetch.ts";
import {
  confirmPage,
  failedPage,
  resubscribedPage,
  UNDO_FIELD,
  unknownLinkPage,
  unsubscribedPage,
} from "./unsubscribe-page.ts";
import { senderOf } from "./page-brand.ts";
import { show } from "./page-shell.ts";
import { postedForm } from "./posted-form.ts";
import type { VisitCap } from "./visit-cap.ts";

/**
 * Paths of the link, with and without the mail's broadcast. The token of an address may replace the
 * subscriber.
 */
const PATHS = [
  "/unsubscribe/:projectId/:subscriberId",
  "/unsubscribe/:projectId/:subscriberId/:broadcastId",
];

/**
 * Returns the routes of a mail's unsubscribe link (API reference §13.4; RFC 8058). The two ids are
 * the only credential, and any site may post. GET unsubscribes, except for visitors that tracking
 * classifies as programs and addresses with too many visits: these get a button. POST always
 * unsubscribes, so every request to unsubscribe takes effect.
 */
export function unsubscribeRoutes(mayRecord: VisitCap) {
  const onlyLooks = (c: HttpContext) =>
    isPrefetch(c.req.raw) || isProgram(c.var.ctx.userAgent) || !mayRecord(c.var.ctx);
  return new Hono<HttpEnv>()
    .on("GET", PATHS, (c) => (onlyLooks(c) ? showButton(c) : leave(c)))
    .on("POST", PATHS, async (c) => {
      const token = await postedUndoToken(c);
      return token === undefined ? leave(c) : comeBack(c, token);
    })
    .onError((error, c) => show(c, failedPage(), refusalOf(error, c).status));
}

/** Returns the two ids in the path; undefined if one is not a UUID, which saves a lookup. */
function idsOf(c: HttpContext): [projectId: string, subscriberId: string] | undefined {
  const projectId = c.req.param("projectId") ?? "";
  const subscriberId = c.req.param("subscriberId") ?? "";
  return isUuid(projectId) && isUuid(subscriberId) ? [projectId, subscriberId] : undefined;
}

/** Returns the address of a link without a subscription; undefined for any other link. */
async function addressOf(c: HttpContext): Promise<EmailAddress | undefined> {
  const projectId = c.req.param("projectId") ?? "";
  const token = c.req.param("subscriberId") ?? "";
  return isUuid(projectId) && !isUuid(token)
    ? openAddressToken(c.var.ctx.deps, projectId, token)
    : undefined;
}

async function showButton(c: HttpContext): Promise<Response> {
  const address = await addressOf(c);
  if (address !== undefined) {
    const [project] = await selectProject(c.var.ctx.deps.db, c.req.param("projectId") ?? "");
    return show(c, confirmPage(address, senderOf(project)));
  }
  const ids = idsOf(c);
  const subscription: Subscription = ids
    ? await readSubscription(c.var.ctx.deps, ...ids)
    : { found: false };
  if (!ids || !subscription.found) return showUnknown(c);
  const { facts, project } = subscription;
  return facts.status === "unsubscribed"
    ? showUnsubscribed(c, ids, subscription)
    : show(c, confirmPage(facts.email, senderOf(project)));
}

async function leave(c: HttpContext): Promise<Response> {
  const address = await addressOf(c);
  if (address !== undefined) {
    const projectId = c.req.param("projectId") ?? "";
    const project = await suppressLeaver(c.var.ctx.deps, projectId, address);
    return show(c, unsubscribedPage(address, undefined, senderOf(project)));
  }
  const ids = idsOf(c);
  const broadcastId = c.req.param("broadcastId") ?? "";
  const link = isUuid(broadcastId) ? broadcastId : undefined; // any other text still unsubscribes
  const { deps } = c.var.ctx;
  const proof = personProof(c.var.ctx, "link");
  const left: Subscription = ids
    ? await unsubscribe(deps, ...ids, { broadcastId: link, proof })
    : { found: false };
  return ids && left.found ? showUnsubscribed(c, ids, left) : showUnknown(c);
}

/** Undoes an unsubscription. Idempotent: a person may press the button twice. */
async function comeBack(c: HttpContext, token: string): Promise<Response> {
  const { deps } = c.var.ctx;
  const ids = idsOf(c);
  if (!ids) return showUnknown(c);
  const known = await readSubscription(deps, ...ids);
  if (!known.found) return showUnknown(c);
  const { email, status, undoable, lastLeftAt } = known.facts;
  const sender = senderOf(known.project);
  const [projectId, subscriberId] = ids;
  const isTokenOf = (at: number) => isUndoToken(deps, { projectId, subscriberId, at }, token);
  if (lastLeftAt === undefined || !(await isTokenOf(lastLeftAt)))
    throw refusal("invalid_undo_token", {});
  if (status !== "unsubscribed") return show(c, resubscribedPage(email, sender));
  if (!undoable) throw refusal("undo_over", {});
  const back = await resubscribe(deps, ...ids, undoable, personProof(c.var.ctx, "link"));
  if (!back.found) return showUnknown(c);
  return back.facts.status === "unsubscribed"
    ? showUnsubscribed(c, ids, back)
    : show(c, resubscribedPage(email, sender));
}

type Found = Extract<Subscription, { found: true }>;

async function showUnsubscribed(
  c: HttpContext,
  [projectId, subscriberId]: [string, string],
  { facts: { email, undoable }, project }: Found,
): Promise<Response> {
  const token =
    undoable && (await undoToken(c.var.ctx.deps, { projectId, subscriberId, at: undoable.at }));
  return show(c, unsubscribedPage(email, token, senderOf(project)));
}

const showUnknown = (c: HttpContext) => show(c, unknownLinkPage(), 404);

/**
 * Returns the undo token of a posted form, or undefined. Mail clients post
 * `List-Unsubscribe=One-Click` in either form encoding, and a malformed post still unsubscribes.
 */
async function postedUndoToken(c: HttpContext): Promise<string | undefined> {
  return (await postedForm(c)).get(UNDO_FIELD) ?? undefined;
}
