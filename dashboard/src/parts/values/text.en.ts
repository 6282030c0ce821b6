export const en = {
  variables: "Variables",
  name: (number: number) => `Name ${number}`,
  value: (number: number) => `Value ${number}`,
  twice: "Two variables have this name.",
  remove: "Remove",
  removeVariable: (name: string) => `Remove the variable ${name}`,
  add: "Add variable",
  insertVariable: "Insert variable",
  variable: "Variable",
  fallback: "If it is empty",
  fallbackHint: "The text for people who lack it, for example “there”.",
  insert: "Insert",
};
