import { DurableObject } from "cloudflare:workers";

/** Bindings of the Workers to compare with. */
export interface Bindings extends Env {
  SETTLER: DurableObjectNamespace<Settler>;
}

const SUBSCRIBE = `insert into subscribers
    (id, project_id, email, name, status, metadata, source, subscribed_at, created_at, updated_at)
  values (?1, ?2, ?1, '', 'active', '{}', '', 1, 1, 1)`;

/** Writes one row to D1 per call. */
export class Settler extends DurableObject<Bindings> {
  async settle({ to }: { to: string }): Promise<string> {
    const id = `${crypto.randomUUID()}@${to}`;
    await this.env.DB.batch([this.env.DB.prepare(SUBSCRIBE).bind(id, "bare")]);
    return id;
  }
}
