export const en = {
  counted: { opens: "Count opens", clicks: "Count clicks" },
  asProject: "As the project",
  on: "On",
  off: "Off",
};
