export const en = {
  hint: "Go to a page or a project",
  hintInProject: "Find a page, a template, a broadcast or a person",
  looking: "Searching…",
  nothingFound: "No matches.",
  howItLooks:
    "People are found by the beginning of their address or name, and broadcasts among the newest 100.",
  template: "Template",
  broadcast: "Broadcast",
  person: "Person",
};
