import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import type { AudienceSettings } from "../../db/schema/index.ts";
import type { ProjectRow } from "../access/index.ts";
import { audienceSettingsOf, selectProject } from "../projects/index.ts";
import { selectSubscriber, subscriptionFacts, type SubscriberRow } from "../subscribers/index.ts";
import { selectConsents, selectHistory, type Consent, type ConsentEvent } from "../topics/index.ts";
import { addressMarkOf } from "../tracking/index.ts";

/** The number of newest history entries that a reader sees. */
const MOST_SHOWN = 500;

/** The contents of a link in a mail that identify its reader. */
export interface ReaderLink {
  projectId: string;
  subscriberId: string;
  addressMark: string;
}

/** The details of a subscription that its reader sees. */
export interface Reader {
  project: ProjectRow;
  projectName: string;
  settings: AudienceSettings;
  subscriber: SubscriberRow;
  /** False if the subscriber's address has changed since the mail. */
  hasAddress: boolean;
  /** Without private topics that have nothing to do with the subscriber. */
  consents: Consent[];
  /** The consents that the reader may change. */
  choices: Consent[];
  history: ConsentEvent[];
  /** The time of the last unsubscribe through a link, while it can be undone. */
  undoableAt: number | undefined;
}

/**
 * Reads what the reader of a mail may see; undefined if the subscription or its project is gone.
 * The signed link authorizes the call. One D1 round trip.
 */
export async function readPreferences(
  deps: Deps,
  { projectId, subscriberId, addressMark }: ReaderLink,
): Promise<Reader | undefined> {
  const { db } = deps;
  const [[project], [subscriber], consents, history] = await runBatch(db, [
    selectProject(db, projectId),
    selectSubscriber(db, projectId, subscriberId),
    selectConsents(db, projectId, subscriberId),
    selectHistory(db, projectId, subscriberId, MOST_SHOWN),
  ]);
  if (!project || !subscriber) return undefined;
  return {
    project,
    projectName: project.name,
    settings: audienceSettingsOf(project),
    subscriber,
    hasAddress: addressMarkOf(subscriberId, subscriber.email) === addressMark,
    consents: consents.filter(({ visibility, state }) => visibility === "public" || state !== null),
    choices: consents.filter(isChoice),
    history,
    undoableAt: subscriptionFacts(deps, subscriber).undoable?.at,
  };
}

/** Only people in a private topic, and those who left it themselves, have it as a choice. */
const isChoice = ({ visibility, state, by }: Consent): boolean =>
  visibility === "public" ||
  state === "subscribed" ||
  by === "page" ||
  by === "one_click" ||
  by === "link";
