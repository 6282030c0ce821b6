import type { Api } from "../../../api/client.ts";

export type Report = Api.AutomationReport;
export type ReportVersion = Report["versions"][number];
export type StepReport = Api.AutomationStepReport;
export type Run = Api.AutomationRun;
