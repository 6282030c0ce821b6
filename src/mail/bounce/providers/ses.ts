import { entriesOfReport } from "../ingest-entry.ts";
import { readSesNotification } from "../ses-notification.ts";
import type { Provider } from "./provider.ts";

/** Its SNS envelope is opened beforehand (services/bounces/open-sns-message.ts). */
export const ses: Provider = {
  title: "Amazon SES",
  isEvent: ({ notificationType, eventType }) =>
    typeof notificationType === "string" || typeof eventType === "string",
  read: (item) => {
    const report = readSesNotification(JSON.stringify(item));
    return report ? entriesOfReport(report) : [];
  },
};
