import { runInDurableObject } from "cloudflare:test";
import type { Bindings } from "../../src/config.ts";
import type { Deps } from "../../src/deps.ts";
import type { ProjectLimiter } from "../../src/index.ts";
import type { PermitAsk, VersionedLimits } from "../../src/lib/permits/permit-messages.ts";
import type { Hit, HubCall } from "../../src/project-object.ts";
import { openHub, type Hub } from "../../src/services/mailing/index.ts";

type Namespace = Bindings["PROJECT_LIMITER"];

/**
 * The real objects, whose hubs see the world of one service: its counted database, its queues and
 * its clock. Arguments are copied, as the platform copies them.
 */
export function objectsIn(real: Namespace, world: () => Promise<Deps>): Namespace {
  const hubs = new WeakMap<ProjectLimiter, Promise<Hub>>();
  const get = (id: DurableObjectId, options?: DurableObjectNamespaceGetDurableObjectOptions) => {
    const stub = real.get(id, options);
    const inWorld = <T>(work: (object: ProjectLimiter) => Promise<T>) =>
      runInDurableObject(stub, (object: ProjectLimiter) => {
        const hub = hubs.get(object) ?? world().then((deps) => openHub(deps, object.gate));
        hubs.set(object, hub);
        object.hub = hub;
        return work(object);
      });
    return {
      take: (...hit: Hit) => stub.take(...hit),
      takeAll: (hits: [Hit, ...Hit[]]) => stub.takeAll(hits),
      beginTurn: () => stub.beginTurn(),
      endTurn: (turn: number) => stub.endTurn(turn),
      askPermit: (ask: PermitAsk) => inWorld((object) => object.askPermit(ask)),
      limitSending: (limits: VersionedLimits) => inWorld((object) => object.limitSending(limits)),
      admitSingle: (...mail: Parameters<ProjectLimiter["admitSingle"]>) =>
        stub.admitSingle(...mail),
      send: (call: HubCall) => {
        const copy = structuredClone(call);
        return inWorld((object) => object.send(copy));
      },
      endSessions: () => inWorld((object) => object.endSessions()),
    };
  };
  return { idFromName: (name: string) => real.idFromName(name), get } as unknown as Namespace;
}
