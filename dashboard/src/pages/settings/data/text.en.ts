import { plural } from "../../../lib/format.ts";

export const en = {
  dataLead: "What this project contains, and how to move it to another service.",
  holds: "What this project contains",
  kindsOfRows: {
    templates: "Templates",
    template_versions: "Template versions",
    topics: "Topics",
    subscribers: "People",
    topic_consents: "Consents",
    consent_events: "Consent history",
    suppressions: "Suppressions",
    segments: "Segments",
    broadcasts: "Broadcasts",
    drafts: "Drafts",
    broadcast_variants: "A/B test variants",
    mailings: "Last emailed dates",
    retries: "Broadcast retries",
    plans: "Broadcast plans",
    trials: "A/B test results",
    email_log: "Emails in the log",
  } as Record<string, string>,
  storage: "Service storage",
  fill: (percent: string) => `The database is ${percent} full.`,
  fillUnknown: "The size of the database is not known yet.",
  logKept: (days: number) => `The log keeps emails for ${plural(days, "day", "days")}.`,
  logKeptForEver: "The log keeps emails forever.",
  storageLevels: {
    warning:
      "It is filling up. The operator of this service can give it more space or shorten the log.",
    full: "Nothing is sent until there is enough space again.",
  } as Record<string, string>,
  bounds:
    "A project holds up to 50 topics, 200 segments and 20 webhooks, and a person up to 50 tags.",
  exportProject: "Export",
  exportWords:
    "A ZIP file of everything but secrets: settings, templates, people, consents, suppressions, segments, broadcasts and the log, one JSON object per line. Keys, webhooks and members are not in it. The audit log records the download.",
  downloadExport: "Download export",
  importProject: "Import",
  importProjectWords:
    "Imports an export from another service into this project, which must be empty. First you see what the file contains. No mail is sent, and no webhook events are emitted.",
  exportFile: "Export ZIP file",
  chooseExport: "Choose an export first.",
  noExport: "This is not a complete export: it is another kind of file, or it is truncated.",
  exportOf: (at: string) => `An export from ${at}. It contains:`,
  uploading: (percent: string) => `Uploading: ${percent}`,
  writing: "Importing rows. Keep this page open.",
  importGoesOn:
    "If the import was interrupted, press Import again with the same file: it continues where it stopped and adds nothing twice.",
  leaveImport: {
    leaveTitle: "Stop the import?",
    leaveWords:
      "It runs only while this page is open. Rows already imported are kept; import the same file again to add the rest.",
    leave: "Stop and leave",
  },
  imported: "The import is complete.",
  importedBut: (kinds: string) =>
    `The import is complete. This version skipped rows that it does not recognize: ${kinds}.`,
};
