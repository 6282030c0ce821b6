export const en = {
  projectsTitle: "Projects",
  projectsLead: (workspace: string) => `of ${workspace}`,
  noProjects: "No projects yet",
  noProjectsWords:
    "A project has its own sending server, templates, audience and log. Start with one for your product or your newsletter.",
  newProject: "New project",
  name: "Name",
  nameHint: "For example the name of your product. You can change it later.",
  create: "Create the project",
  sends: (host: string) => `Sends over ${host}`,
  sendsNothing: "No sending server yet",
};
