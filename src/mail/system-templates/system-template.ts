/** A variable a system template reads; `items[].x` is the field `x` of each entry of `items`. */
export interface TemplateVariable {
  name: string;
  description: string;
  /** Whether the mail says too little without it; it renders all the same. */
  required: boolean;
}

/**
 * A template that every project has without making it: full Handlebars, to be compiled with
 * escaping for `htmlBody` and without for `subject` and `textBody`. Renders with any data at all.
 * Source: API reference §10.4.
 */
export interface SystemTemplate {
  name: string;
  subject: string;
  htmlBody: string;
  textBody: string;
  /** Every variable the three parts read, and no other. */
  variables: readonly TemplateVariable[];
}
