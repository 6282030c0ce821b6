import { queryOptions } from "@tanstack/react-query";
import { api, type Api } from "../../api/client.ts";
import { versioned } from "../../api/versioned.ts";

export type Automation = Api.Automation;

export const automationsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "automations"],
    queryFn: ({ signal }) => api.projects.automations.list({ projectId }, { signal }),
  });

/** An automation with its version, which changes must send. */
export const automationQuery = (projectId: string, automationId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "automations", automationId],
    queryFn: ({ signal }) =>
      versioned((onResponse) =>
        api.projects.automations.get({ projectId, automationId }, { signal, onResponse }),
      ),
  });

/** How often the numbers of a running automation are read. */
export const POLL_MS = 20_000;

/** The people and emails of an automation by version and step. */
export const reportQuery = (projectId: string, automationId: string, state: Automation["state"]) =>
  queryOptions({
    queryKey: ["project", projectId, "automations", automationId, "report"],
    queryFn: ({ signal }) =>
      api.projects.automations.report({ projectId, automationId }, { signal }),
    refetchInterval: state === "active" ? POLL_MS : false,
  });

/** What an automation would do, or what it would do with one person. */
export type Rehearsed = Api.AutomationRehearsal;

/** A rehearsal of a stored version, or of the way of one person. */
export const rehearsalQuery = (
  projectId: string,
  automationId: string,
  version: string,
  subscriberId?: string,
) =>
  queryOptions({
    queryKey: ["project", projectId, "rehearsal", automationId, version, subscriberId],
    queryFn: ({ signal }) => {
      const body = subscriberId === undefined ? {} : { subscriber_id: subscriberId };
      return api.projects.automations.rehearse({ projectId, automationId, body }, { signal });
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** Automations to begin with, in the language of the dashboard. */
export const readyMadeQuery = (projectId: string, language: "en" | "de") =>
  queryOptions({
    queryKey: ["project", projectId, "automations", "ready-made", language],
    queryFn: ({ signal }) =>
      api.projects.automations.readyMade({ projectId, language }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
