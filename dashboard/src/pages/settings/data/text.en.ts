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
    broadcast_variants: "A/B test variants",
    mailings: "Last emailed dates",
    events: "Events",
    email_log: "Emails in the log",
  } as Record<string, string>,
  storage: "Service storage",
  fill: (percent: string) => `The database is ${percent} full.`,
  fillUnknown: "The size of the database is not known yet.",
  logKept: (days: number) => `The log keeps emails for ${plural(days, "day", "days")}.`,
  logKeptForEver: "The log keeps emails forever.",
  storageLevels: {
    warning:
      "The database is filling up. The operator of this service can add space or shorten the log.",
    full: "No email is sent until there is enough space again.",
  } as Record<string, string>,
  bounds:
    "A project holds up to 50 topics, 200 segments and 20 webhooks, and a person up to 50 tags.",
  exportProject: "Export",
  exportWords:
    "A compressed file of everything but secrets, one JSON object per line: people, consents, suppressions, templates, segments, broadcasts, the log and the audience settings. Mail servers, keys, webhooks and members are not in it. The audit log records the download.",
  downloadExport: "Download export",
  importProject: "Import",
  importProjectWords:
    "Imports an export from another service into this project, which must be empty. No email is sent, and webhooks get no events.",
  exportFile: "Export file",
  chooseExport: "Choose an export first.",
  noExport: "This is not an export. Choose the file that “Download export” saved.",
  exportOf: (project: string, at: string) => `Export of ${project} from ${at}.`,
  uploading: (percent: string) => `Uploading: ${percent}`,
  writing: "Importing rows. Keep this page open.",
  importGoesOn:
    "If the import is interrupted, import the same file again: it continues where it stopped and adds nothing twice.",
  leaveImport: {
    leaveTitle: "Stop the import?",
    leaveWords:
      "The import runs only while this page is open. Imported rows are kept; import the same file again to add the rest.",
    leave: "Stop and leave",
  },
  imported: "The import is complete.",
};
