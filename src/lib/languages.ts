/** Languages of the pages and mails for subscribers; each has its texts in src/mail/words. */
export const LANGUAGES = ["en", "de", "fr", "es", "pt"] as const;

export type Language = (typeof LANGUAGES)[number];
