/** Verdict on a fact. An error stops the service or loses data; a warning needs attention. */
export interface Verdict {
  outcome: "ok" | "warning" | "fault";
  says: string;
  /** Advice; empty if all is well. */
  remedy: string;
}

export const ok = (says: string): Verdict => ({ outcome: "ok", says, remedy: "" });
export const warning = (says: string, remedy: string): Verdict => ({
  outcome: "warning",
  says,
  remedy,
});
export const fault = (says: string, remedy: string): Verdict => ({
  outcome: "fault",
  says,
  remedy,
});
