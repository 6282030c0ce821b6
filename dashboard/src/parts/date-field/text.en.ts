export const en = {
  choose: "Choose a date",
  earlier: "Previous month",
  later: "Next month",
  time: "Time",
};
