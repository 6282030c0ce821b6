/*
 * A service whose wake-ups only enter a list, so that a test decides which webhook runs when, and
 * whose clock a test sets; and the stored state of its webhooks.
 */
import { env } from "cloudflare:test";
import { sql, type SQL } from "drizzle-orm";
import type { Bindings } from "../../../src/config.ts";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import type { WebhookDueMessage } from "../../../src/queues/messages.ts";
import { deliverDue, type RunEnd, type RunLimits } from "../../../src/services/webhooks/index.ts";
import { testLicense } from "../license.ts";
import { allRows } from "../rows.ts";
import { createService, unique, type Answer, type Client } from "../service.ts";
import { EVERY_MINUTE } from "../times.ts";
import { endpoint } from "./received.ts";

type Limits = Partial<RunLimits>;

export interface Webhook {
  id: string;
  url: string;
  secret: string;
  events: string[];
  active: boolean;
  created_at: string;
}

export interface Delivery {
  id: string;
  event_type: string;
  status: string;
  attempts: number;
  last_status_code?: number;
  last_error?: string;
  next_attempt_at?: string;
  delivered_at?: string;
  created_at: string;
}

export interface Wake {
  webhookId: string;
  delaySeconds: number;
}

const LICENSE = await testLicense("pro");

/** A licensed service with a clock and a queue that drops every message. */
export function createDispatching(settings: Partial<Bindings> = {}) {
  const clock = { aheadMs: 0 };
  const wakes: Wake[] = [];
  const queue = {
    sendBatch: async (messages: MessageSendRequest<WebhookDueMessage>[]) => {
      for (const { body, delaySeconds = 0 } of messages)
        wakes.push({ webhookId: body.webhookId, delaySeconds });
    },
  } as unknown as Queue<WebhookDueMessage>;
  const service = createService(
    { ...LICENSE, WEBHOOK_QUEUE: queue, ...settings },
    { now: () => Date.now() + clock.aheadMs },
  );

  const newProject = async (given?: Client) => {
    const owner = given ?? (await service.newOwner());
    const project = await owner.newProject();
    const path = `/projects/${project.id}/webhooks`;
    return {
      ...project,
      owner,
      path,
      /** Creates a webhook to a path of the receiver that ends with a name of its own. */
      async newWebhook(kind = "ok", host = 0, name = unique("hook")) {
        const url = endpoint(`${kind}/${name}`, host);
        const { status, body } = await owner.post<Webhook>(path, { url });
        if (status !== 201) throw new Error(JSON.stringify(body));
        const own = `${path}/${body.id}`;
        const emit = async (count = 1): Promise<Delivery[]> => {
          const answers: Answer<Delivery>[] = [];
          for (let n = 0; n < count; n += 1) answers.push(await owner.post(`${own}/test`));
          return answers.map((answer) => answer.body);
        };
        /** Copies a due delivery this often; finished when `dueAt` is null, else pending. */
        const addCopies = async (count: number, dueAt: SQL) => {
          const { db } = await service.deps();
          await db.run(
            sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
              insert into webhook_deliveries (webhook_id, id, project_id, event_id, event_type, payload, status, due_at, created_at)
              select webhook_id, printf('f%07x', n.i) || substr(id, 9), project_id, event_id, event_type, payload, iif(${dueAt} is null, 'delivered', 'pending'), ${dueAt}, created_at
              from webhook_deliveries, n where webhook_id = ${body.id} and due_at is not null`,
          );
        };
        return {
          ...body,
          name,
          path: own,
          emit,
          addCopies,
          setActive: (active: boolean) => owner.request<Webhook>("PATCH", own, { active }),
          deliveries: async () =>
            (await owner.get<{ deliveries: Delivery[] }>(`${own}/deliveries?limit=200`)).body
              .deliveries,
          dispatch: (limits?: Limits) => dispatch([body.id], limits).then((ends) => ends[0]),
          row: () => env.DB.prepare("select * from webhooks where id = ?").bind(body.id).first(),
        };
      },
    };
  };

  const dispatch = async (ids: string[], limits?: Limits): Promise<(RunEnd | undefined)[]> => {
    const ends = await deliverDue(await service.deps(), ids, limits);
    return ids.map((id) => ends.get(id));
  };

  /** Delays of the wake-ups of a webhook since the last call. */
  const takeWakes = (id: string): number[] => {
    const own = wakes.filter(({ webhookId }) => webhookId === id);
    for (const wake of own) wakes.splice(wakes.indexOf(wake), 1);
    return own.map(({ delaySeconds }) => delaySeconds);
  };

  const sweep = async () => runScheduled(await service.deps(), EVERY_MINUTE);

  return { service, clock, wakes, takeWakes, newProject, dispatch, sweep };
}

/** Audit entries about a webhook, oldest first. */
export const auditsOf = (webhookId: string) =>
  allRows<{ action: string; scope_id: string; user_id: string | null; metadata: string }>(
    "select action, scope_id, user_id, metadata from audit_entries where target_id = ? order by id",
    webhookId,
  );

/** Verifies `X-Service-Signature` as a receiver would, and returns its time in seconds. */
export async function verifySignature(
  secret: string,
  { headers, body }: { headers: Record<string, string>; body: string },
): Promise<{ isValid: boolean; t: number }> {
  const match = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers["x-service-signature"] ?? "");
  if (!match) return { isValid: false, t: 0 };
  const utf8 = new TextEncoder();
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", utf8.encode(secret), hmac, false, ["verify"]);
  const mac = Uint8Array.from(match[2]?.match(/../g) ?? [], (digits) =>
    Number.parseInt(digits, 16),
  );
  const isValid = await crypto.subtle.verify("HMAC", key, mac, utf8.encode(`${match[1]}.${body}`));
  return { isValid, t: Number(match[1]) };
}
