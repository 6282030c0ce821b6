export const en = {
  behind: "Someone else saved this in the meantime. Your changes are kept.",
  chooseFirst: "First, choose which version to keep.",
  keepMine: "Keep mine",
  leaveTitle: "Leave without saving?",
  leaveWords: "Your changes on this page are not saved.",
  leave: "Leave",
  takeTheirs: "Take theirs",
};
