/** Joins the class names that are given. */
export const classes = (...names: (string | false | undefined)[]): string =>
  names.filter(Boolean).join(" ");
