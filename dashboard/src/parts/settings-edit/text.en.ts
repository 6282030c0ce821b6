export const en = {
  behind: "Someone else saved this in the meantime. Your changes are still here.",
  chooseFirst: "Choose first: your changes, or what someone else saved.",
  keepMine: "Keep mine",
  leaveTitle: "Leave without saving?",
  leaveWords: "Your changes here are not saved.",
  leave: "Leave",
  takeTheirs: "Take theirs",
};
