import { plural } from "../../../lib/format.ts";

export const en = {
  dataLead: "What this project holds, and how it moves to another service.",
  holds: "What this project holds",
  kindsOfRows: {
    templates: "Templates",
    template_versions: "Versions of templates",
    topics: "Topics",
    subscribers: "People",
    topic_consents: "Consents",
    consent_events: "History of consents",
    suppressions: "Suppressions",
    segments: "Segments",
    broadcasts: "Broadcasts",
    drafts: "Drafts",
    broadcast_variants: "Variants of trials",
    mailings: "Times of mailings",
    retries: "Broadcasts that were retried",
    plans: "Plans of broadcasts",
    trials: "Results of trials",
    email_log: "Mails in the log",
  } as Record<string, string>,
  storage: "Storage of the service",
  fill: (percent: string) => `The database is ${percent} full.`,
  fillUnknown: "The size of the database is not known yet.",
  logKept: (days: number) => `The log keeps mails for ${plural(days, "day", "days")}.`,
  logKeptForEver: "The log keeps mails forever.",
  storageLevels: {
    notice: "It is filling up. Whoever runs this service can give it more room or shorten the log.",
    urgent: "The log loses its oldest days until there is room again.",
    full: "Nothing is sent until there is room again.",
  } as Record<string, string>,
  bounds:
    "A project holds up to 50 topics, 200 segments and 20 webhooks, and a person up to 50 tags.",
  exportProject: "Export",
  exportWords:
    "A zip of everything but secrets: settings, templates, people, consents, suppressions, segments, broadcasts and the log, one JSON object a line. Keys, webhooks and members are not in it. The audit log notes the download.",
  downloadExport: "Download the export",
  importProject: "Import",
  importProjectWords:
    "Takes the export of another service into this project, which must be empty. First you see what the file holds. No mail is sent, and no webhook hears of it.",
  exportFile: "Zip of an export",
  chooseExport: "Choose an export first.",
  noExport: "This is not a complete export: it is another file, or it was cut off.",
  exportOf: (at: string) => `An export of ${at}. It holds:`,
  uploading: (percent: string) => `Uploading: ${percent}`,
  writing: "The service writes the rows. Keep this page open.",
  importGoesOn:
    "If the import was interrupted, press Import again with the same file: it goes on where it was and adds nothing twice.",
  leaveImport: {
    leaveTitle: "Stop the import?",
    leaveWords:
      "It goes on only while this page is open. What is imported stays; the same file again adds the rest.",
    leave: "Stop and leave",
  },
  imported: "Everything is here.",
  importedBut: (kinds: string) =>
    `The import is done. This version left out rows that it does not know: ${kinds}.`,
};
