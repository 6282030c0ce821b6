import { useQuery } from "@tanstack/react-query";
import type {
  Reentry,
  Step,
  Trigger,
  Until,
} from "../../../../../src/lib/automation-definition.ts";
import { fieldsQuery, segmentsQuery, topicsQuery } from "../../../api/audience.ts";
import { locale } from "../../../lib/format.ts";
import { templatesQuery } from "../../templates/queries.ts";
import { readable as withoutBlocks } from "../../broadcasts/states.ts";
import { readable } from "../../templates/blocks/variables.ts";
import { readSpan } from "./spans.ts";
import { useWordsText } from "./use-words-text.ts";

/** Returns functions that say steps and triggers of a project in one sentence each. */
export function useWords(projectId: string) {
  const text = useWordsText();
  const templates = useQuery(templatesQuery(projectId)).data;
  const topics = useQuery(topicsQuery(projectId)).data?.topics;
  const segments = useQuery(segmentsQuery(projectId)).data?.segments;
  const fields = useQuery(fieldsQuery(projectId)).data?.fields;
  const nameOf = (list: readonly { id: string; name: string }[] | undefined, id: string) =>
    list?.find((one) => one.id === id)?.name ?? (list ? text.gone : "…");
  const topicName = (id: string) => nameOf(topics, id);
  const span = (written: string) => {
    const { amount, unit } = readSpan(written);
    return text.spans[unit](amount);
  };
  const until = ({ weekday, time, zone }: Until) => {
    const at = weekday === undefined ? time : text.dayAndTime(text.weekdays[weekday], time);
    return zone === "recipient" ? text.untilTheirs(at) : text.untilZone(at, zone);
  };
  const list = (parts: string[]) => new Intl.ListFormat(locale(), { type: "unit" }).format(parts);
  const sayStep = (step: Step): string => {
    switch (step.type) {
      case "send": {
        const template = step.template_id;
        const own = step.subject === undefined ? "" : readable(withoutBlocks(step.subject));
        const name = own || (template ? nameOf(templates, template) : text.noSubject);
        return step.topic_id ? text.sendTopic(name, topicName(step.topic_id)) : text.send(name);
      }
      case "wait":
        if ("for" in step) return text.waitFor(span(step.for));
        if ("until" in step) return until(step.until);
        return text.waitEvent(step.event.name || "…", span(step.event.within));
      case "branch":
        return text.branch(step.ways.length + 1);
      case "set": {
        const { add_tags = [], remove_tags = [], metadata = {}, topics: chosen = {} } = step;
        const parts = [
          ...add_tags.map((tag) => text.addTag(tag)),
          ...remove_tags.map((tag) => text.removeTag(tag)),
          ...Object.entries(metadata).map(([key, value]) =>
            text.setField(fields?.find((one) => one.key === key)?.label ?? key, String(value)),
          ),
          ...Object.entries(chosen).map(([id, isOn]) =>
            isOn ? text.subscribe(topicName(id)) : text.unsubscribe(topicName(id)),
          ),
        ];
        return parts.length > 0 ? text.set(list(parts)) : text.setNothing;
      }
      case "webhook":
        return text.webhook(URL.parse(step.url)?.host ?? "…");
      case "notify":
        return text.notify(step.emails.length > 0 ? list(step.emails) : "…");
      case "end":
        return text.end;
    }
  };
  const sayTrigger = (trigger: Trigger): string => {
    switch (trigger.type) {
      case "event":
        return text.triggers.event(trigger.event || "…");
      case "topic":
        return text.triggers.topic(topicName(trigger.topic_id));
      case "tag_added":
        return text.triggers.tagAdded(trigger.tag || "…");
      case "tag_removed":
        return text.triggers.tagRemoved(trigger.tag || "…");
      case "segment":
        return text.triggers.segment(nameOf(segments, trigger.segment_id));
      case "date": {
        const { field, days = 0, yearly = false } = trigger;
        const label = fields?.find((one) => one.key === field)?.label ?? (field || "…");
        const day = yearly ? text.triggers.anniversary(label) : text.triggers.date(label);
        if (days === 0) return text.triggers.onDay(day);
        const distance = text.spans.day(Math.abs(days));
        return days < 0 ? text.triggers.before(distance, day) : text.triggers.after(distance, day);
      }
      case "joined":
      case "confirmed":
      case "manual":
        return text.triggers[trigger.type];
    }
  };
  const sayReentry = (reentry: Reentry): string =>
    typeof reentry === "string" ? text.reentry[reentry] : text.reentryAfter(reentry.after_days);
  return { sayStep, sayTrigger, sayReentry };
}
