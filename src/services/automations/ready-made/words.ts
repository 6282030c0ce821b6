/** The mail of a step; its texts are Handlebars, and `{brand}` is the name of the sender. */
export interface MailWords {
  subject: string;
  heading: string;
  paragraphs: string[];
}

/** A ready-made automation in one language, with its mails by the id of their step. */
export interface SeriesWords<Steps extends string> {
  name: string;
  description: string;
  mails: Record<Steps, MailWords>;
}

/** The texts of all ready-made automations in one language. */
export interface ReadyMadeWords {
  /** Why somebody gets these mails, in their footer. */
  reason: string;
  /** The labels of buttons. */
  confirm: string;
  toCart: string;
  welcome_series: SeriesWords<"hello" | "tips" | "question">;
  opt_in_reminder: SeriesWords<"first" | "last">;
  abandoned_cart: SeriesWords<"first" | "last">;
  win_back: SeriesWords<"miss-you" | "last">;
  birthday: SeriesWords<"wishes">;
  trial_ends: SeriesWords<"soon" | "tomorrow">;
  review_request: SeriesWords<"ask" | "again">;
  sunset: SeriesWords<"stay" | "last">;
}
