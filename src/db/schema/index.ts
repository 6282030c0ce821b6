export * from "./accounts.ts";
export * from "./audience.ts";
export * from "./log.ts";
export * from "./projects.ts";
export * from "./queues.ts";
export * from "./templates.ts";
export * from "./webhooks.ts";
export * from "./workspaces.ts";
