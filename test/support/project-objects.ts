import { runInDurableObject } from "cloudflare:test";
import type { Bindings } from "../../src/config.ts";
import type { Deps } from "../../src/deps.ts";
import type { ProjectSender } from "../../src/index.ts";
import type { VersionedLimits } from "../../src/lib/rates/rate-types.ts";
import type { Hit, SendCall } from "../../src/project-object.ts";
import { openSingleSender, type SingleSender } from "../../src/services/mailing/index.ts";

type Namespace = Bindings["PROJECT_SENDER"];

/** The sender of each object in each world, by the objects that its service sees. */
const singles = new WeakMap<object, WeakMap<ProjectSender, Promise<SingleSender>>>();

/** Makes the sender of an object that of a world, which keeps its sessions. */
function enter(object: ProjectSender, world: () => Promise<Deps>, key: object): void {
  const known = singles.get(key) ?? new WeakMap<ProjectSender, Promise<SingleSender>>();
  singles.set(key, known);
  const single = known.get(object) ?? world().then((deps) => openSingleSender(deps, object.gate));
  known.set(object, single);
  object.single = single;
}

/**
 * The real objects, whose senders see the world of one service: its counted database, its queues and
 * its clock. Arguments are copied, as the platform copies them.
 */
export function objectsIn(real: Namespace, world: () => Promise<Deps>): Namespace {
  const get = (id: DurableObjectId, options?: DurableObjectNamespaceGetDurableObjectOptions) => {
    const stub = real.get(id, options);
    type Work<T> = (object: ProjectSender, state: DurableObjectState) => Promise<T>;
    const inWorld = <T>(work: Work<T>) =>
      runInDurableObject(stub, (object: ProjectSender, state) => {
        enter(object, world, objects);
        return work(object, state);
      });
    return {
      take: (...hit: Hit) => stub.take(...hit),
      takeAll: (hits: [Hit, ...Hit[]]) => stub.takeAll(hits),
      beginTurn: () => stub.beginTurn(),
      endTurn: (turn: number) => stub.endTurn(turn),
      wake: (projectId: string) =>
        inWorld(async (object, { storage }) => {
          await object.wake(projectId);
          await storage.deleteAlarm(); // the sender runs in the world of the test instead
          void world()
            .then((deps) => workOffIn(object, deps))
            .catch(() => undefined); // the test runs a sender that died again
        }),
      stop: () => stub.stop(),
      limitSending: (limits: VersionedLimits) => inWorld((object) => object.limitSending(limits)),
      send: (call: SendCall) => {
        const copy = structuredClone(call);
        return inWorld((object) => object.send(copy));
      },
      sendTest: (call: SendCall) => {
        const copy = structuredClone(call);
        return inWorld((object) => object.sendTest(copy));
      },
      endSessions: () => inWorld((object) => object.endSessions()),
    };
  };
  const idFromName = (name: string) => real.idFromName(name);
  const objects = { idFromName, get } as unknown as Namespace;
  return objects;
}

/** Runs the sender of an object until it has nothing due. Returns when it will have. */
async function workOffIn(object: ProjectSender, deps: Deps): Promise<number | undefined> {
  for (;;) {
    const nextAt = await object.work(deps);
    if (nextAt === undefined || nextAt > deps.now()) return nextAt;
  }
}

/**
 * Runs the real sender of a project once, with the world of a test: what its alarm does. Returns
 * the time of the next run.
 */
export function runSender(
  objects: Namespace,
  projectId: string,
  deps: Deps,
): Promise<number | undefined> {
  const stub = objects.get(objects.idFromName(projectId));
  return runInDurableObject(stub, async (object: ProjectSender) => {
    enter(object, async () => deps, deps.senders);
    object.noteProject(projectId);
    const nextAt = await object.work(deps);
    await object.idle();
    return nextAt;
  });
}
