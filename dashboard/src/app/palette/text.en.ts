export const en = {
  hint: "Go to a page or a project",
  hintInProject: "Find a page, a template, a broadcast or a person",
  looking: "Searching…",
  nothingFound: "No matches.",
  howItLooks:
    "Finds people by the beginning of their address or name, and the latest 100 broadcasts.",
  template: "Template",
  broadcast: "Broadcast",
  person: "Person",
};
