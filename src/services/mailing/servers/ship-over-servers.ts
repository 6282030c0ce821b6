import type { EarlierAttempt } from "../../../db/schema/index.ts";
import type { Deps } from "../../../deps.ts";
import {
  isUntouched,
  sendOverConnections,
  type OutgoingMessage,
  type SendResult,
  type Shipment,
} from "../../../mail/smtp/index.ts";
import { endRest, letRest, restOf, type ServerFault } from "./resting-servers.ts";
import type { ServerResult, Servers } from "./send-over-servers.ts";
import { attemptOf, faultOf, withFirstFault } from "./server-faults.ts";

/** A shipment for whichever of a sender's servers accepts it. */
export type ServerShipment<Item extends OutgoingMessage> = Omit<
  Shipment<Item>,
  "settings" | "maxConnections" | "settle" | "openFailed"
> & {
  /** Returns the number of connections that the shipment may have now. */
  maxConnections: () => number;
  settle: (item: Item, result: ServerResult) => void | Promise<void>;
  openFailed: (
    ...failure: [...Parameters<OpenFailed<Item>>, role: ServerResult["role"]]
  ) => void | Promise<void>;
};

type OpenFailed<Item extends OutgoingMessage> = NonNullable<Shipment<Item>["openFailed"]>;

/**
 * Sends messages over the first server until none are left or the server fails. After a failure,
 * sends over the fallback, if there is one, until the first server may be tried again. A message
 * moves to the other server only if no server has begun to take its content.
 * @throws the errors that `take` or `settle` throws
 */
export async function shipOverServers<Item extends OutgoingMessage>(
  { now }: Pick<Deps, "now">,
  { smtp, fallback }: Servers,
  shipment: ServerShipment<Item>,
): Promise<void> {
  /** Messages that moved to the other server, or were taken during the move. */
  const left: Item[] = [];
  /** Attempts at the first server, by the messages that then moved to the fallback. */
  const tried = new Map<Item, EarlierAttempt>();
  let fault = fallback && restOf(smtp, now());
  let change: PromiseWithResolvers<void>;
  let isChanging = false;
  const changeServer = (why: ServerFault | undefined) => {
    fault = why;
    isChanging = true;
    change.resolve();
  };
  const goesOn = () => !isChanging;

  do {
    const server = (fault && fallback) ?? smtp;
    const isFirst = server === smtp;
    change = Promise.withResolvers();
    isChanging = false;

    const orChange = (interrupted: Promise<void>) =>
      fallback ? Promise.race([interrupted, change.promise]) : interrupted;
    const take = async (interrupted: Promise<void>): Promise<Item | undefined | null> => {
      if (!goesOn()) return undefined;
      const waiting = left.shift(); // before any move, so that each move settles a message
      if (waiting) return waiting;
      if (!isFirst && !restOf(smtp, now())) changeServer(undefined);
      if (!goesOn()) return undefined;
      const item = await shipment.take(orChange(interrupted));
      if (goesOn()) return item;
      if (item) left.push(item);
      return undefined;
    };
    const settle = (item: Item, result: SendResult, hasBegun: boolean) => {
      const mayChange = fallback && isFirst && !hasBegun && shipment.isOver?.() !== true;
      if (mayChange && isUntouched(result)) {
        letRest(smtp, now(), faultOf(result));
        changeServer(faultOf(result));
        tried.set(item, attemptOf(faultOf(result), now()));
        left.push(item);
        return undefined;
      }
      if (isFirst && isAccepted(result)) endRest(smtp);
      const named = !isFirst && fault ? withFirstFault(result, fault) : result;
      const earlier = tried.get(item);
      tried.delete(item);
      return shipment.settle(item, { result: named, role: server.role, earlier });
    };
    await sendOverConnections<Item>({
      ...shipment,
      settings: server,
      maxConnections: shipment.maxConnections(),
      patienceMs: fallback && isFirst ? 0 : shipment.patienceMs,
      connectionsNow: shipment.maxConnections,
      take,
      settle,
      openFailed: (...failure) => shipment.openFailed(...failure, server.role),
    });
  } while (!goesOn());
}

const isAccepted = ({ recipients }: SendResult) =>
  recipients.some(({ outcome }) => outcome === "accepted");
