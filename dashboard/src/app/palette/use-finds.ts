import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { nameOf } from "../../pages/broadcasts/states.ts";
import { templatesQuery } from "../../pages/templates/queries.ts";
import type { Place } from "../use-place.ts";
import { MOST_OF_A_KIND, newestBroadcastsQuery, peopleQuery } from "./queries.ts";
import type { Entry } from "./use-entries.ts";
import { usePaletteText } from "./use-palette-text.ts";
import { useSettled } from "../../lib/use-settled.ts";
import { wordsOf } from "./words-of.ts";

/** Debounce time in milliseconds. */
const SETTLED_MS = 200;

const FRESH_MS = 60_000;

/** Search results in the current project. */
interface Finds {
  entries: Entry[];
  isLooking: boolean;
  error: Error | null;
  retry: () => void;
}

/**
 * Searches templates, broadcasts and subscribers of the project as the user types. A subscriber
 * search is aborted when the text changes; the names of the others are loaded once.
 */
export function useFinds({ workspace, project }: Place, typed: string): Finds {
  const text = usePaletteText();
  const navigate = useNavigate();
  const search = typed.trim();
  const isSettled = useSettled(search, SETTLED_MS) === search;
  const mayRead = workspace?.capabilities.includes("read") ?? false;
  const isAsked = project !== undefined && mayRead && search !== "";
  const projectId = project?.id ?? "";
  const options = { enabled: isAsked && isSettled, staleTime: FRESH_MS };
  const templates = useQuery({ ...templatesQuery(projectId), ...options });
  const broadcasts = useQuery({ ...newestBroadcastsQuery(projectId), ...options });
  const people = useQuery({ ...peopleQuery(projectId, search), ...options });
  if (!isAsked) return { entries: [], isLooking: false, error: null, retry: () => undefined };

  const all = [templates, broadcasts, people];
  const isNamed = wordsOf(search);
  const ofTemplates = (templates.data ?? [])
    .filter(({ name, subject }) => isNamed(name, subject))
    .map(({ id, name }) => ({
      key: id,
      label: name,
      detail: text.template,
      run: () =>
        void navigate({
          to: "/p/$projectId/templates/$templateId",
          params: { projectId, templateId: id },
        }),
    }));
  const ofBroadcasts = (broadcasts.data ?? [])
    .filter(({ name, subject }) => isNamed(name, subject))
    .map((broadcast) => ({
      key: broadcast.id,
      label: nameOf(broadcast),
      detail: text.broadcast,
      run: () =>
        void navigate({
          to: "/p/$projectId/broadcasts/$broadcastId",
          params: { projectId, broadcastId: broadcast.id },
        }),
    }));
  const ofPeople = (people.data?.subscribers ?? []).map(({ id, email, name }) => ({
    key: id,
    label: email,
    detail: name || text.person,
    run: () =>
      void navigate({
        to: "/p/$projectId/audience/$subscriberId",
        params: { projectId, subscriberId: id },
      }),
  }));
  return {
    entries: [ofTemplates, ofBroadcasts, ofPeople].flatMap((kind) => kind.slice(0, MOST_OF_A_KIND)),
    isLooking: !isSettled || all.some(({ isPending }) => isPending),
    error: all.find(({ error }) => error)?.error ?? null,
    retry: () => {
      for (const query of all) if (query.error) void query.refetch();
    },
  };
}
