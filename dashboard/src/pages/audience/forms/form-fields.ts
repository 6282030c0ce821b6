import type { SignupForm } from "./form-queries.ts";

/** What a new form asks and says. */
export const NEW = {
  name: "",
  title: "",
  text: "",
  button: "",
  consent_text: "",
  name_field: "none",
  fields: [],
  topics: [],
  choose_topics: false,
  double_opt_in: false,
  redirect_url: null,
  language: null,
  align: "left",
  accent: null,
  show_logo: true,
  embed_heading: false,
} satisfies Partial<SignupForm>;
export type FormFields = Pick<SignupForm, keyof typeof NEW>;
