export const en = {
  behind: "Somebody else saved this in the meantime. What you typed is still here.",
  chooseFirst: "Choose first: what you typed, or what somebody else saved.",
  keepMine: "Keep what I typed",
  leaveTitle: "Leave without saving?",
  leaveWords: "What you typed here is not saved.",
  leave: "Leave",
  takeTheirs: "Take theirs",
};
