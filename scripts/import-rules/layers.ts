/*
 * The table of permitted imports (docs/architecture.md). `npm run check` rejects an import that is
 * not listed here, and a folder without an entry.
 */

/** Features by layer: each may import its own layer and the layers below, through an `index.ts`. */
const FEATURE_LAYERS = [
  ["licensing", "accounts", "audit", "access", "limits", "idempotency", "draft-references"],
  [
    "service-mail",
    "dead-letters",
    "keys",
    "projects",
    "sending",
    "workspaces",
    "webhooks",
    "suppressions",
    "storage",
  ],
  ["identity", "templates", "segments", "fields", "topics", "subscribers", "events", "email-log"],
  ["tracking", "bounces", "project-removal", "preferences", "images", "forms"],
  ["broadcasts", "analytics"],
  ["automations", "project-transfer", "privacy"],
  ["mailing"],
  ["preflight", "auth-hooks"],
];

const CORE = ["src/errors.ts", "src/messages", "src/lib"];
const MESSAGES = "src/queues/messages.ts";
const OBJECT = "src/project-object.ts";
const RULES = [...CORE, "src/deps.ts", "src/context.ts", MESSAGES, OBJECT, "src/db"];
const ENTRY_POINTS = [
  "src/http",
  "src/rpc",
  "src/queues",
  "src/cron",
  "src/inbound",
  "src/durable",
];

const features = FEATURE_LAYERS.flat().map((name) => `src/services/${name}`);

const ofFeatures = FEATURE_LAYERS.flatMap((names, layer) =>
  names.map((name) => {
    const below = FEATURE_LAYERS.slice(0, layer + 1).flat();
    const others = below.filter((other) => other !== name).map((other) => `src/services/${other}`);
    return [`src/services/${name}`, [...RULES, "src/mail", ...others]] as const;
  }),
);

/** Permitted imports of each module besides itself. A module is a folder or a file in `src`. */
export const MAY_IMPORT: Record<string, readonly string[]> = {
  "src/index.ts": [
    ...ENTRY_POINTS,
    "src/deps.ts",
    "src/config.ts",
    "src/runtime.ts",
    "src/server.ts",
  ],
  "src/http": [...RULES, "src/config.ts", "src/mail", ...features],
  "src/rpc": [...RULES, "src/config.ts", "src/runtime.ts", "src/server.ts", ...features],
  "src/server.ts": ["src/http", "src/runtime.ts"],
  "src/queues": [...RULES, ...features],
  "src/cron": [...RULES, ...features],
  "src/inbound": [...RULES, ...features],
  "src/durable": [...RULES, "src/config.ts", "src/runtime.ts", ...features],
  ...Object.fromEntries(ofFeatures),
  "src/context.ts": ["src/deps.ts"],
  "src/deps.ts": [...CORE, "src/config.ts", MESSAGES, OBJECT, "src/db", "src/mail"],
  "src/runtime.ts": ["src/deps.ts"],
  "src/config.ts": CORE,
  [MESSAGES]: [],
  [OBJECT]: [...CORE, "src/mail"],
  "src/mail": CORE,
  "src/db": ["src/lib", "src/messages"],
  "src/errors.ts": ["src/messages"],
  "src/messages": [],
  "src/lib": ["package.json", "src/messages"],
  "dashboard/src/pages/templates": ["src/lib"],
  scripts: [
    "bench",
    "dashboard/src/pages/templates",
    "src/http",
    "src/lib",
    "src/mail",
    "src/messages",
    "src/services/email-log",
  ],
};

/** Packages that only these modules may import; all others are unrestricted. */
export const ONLY_IN: Record<string, readonly string[]> = {
  hono: ["src/http"],
  "@hono/zod-validator": ["src/http"],
  "drizzle-orm": ["src/db", "src/http", "scripts", ...features],
  "cloudflare:sockets": ["src/runtime.ts"],
  "cloudflare:workers": ["src/durable", "src/rpc"],
};
