import manifest from "../../package.json" with { type: "json" };

/** What this is, as `/version` and outgoing requests tell it. */
export const PRODUCT = { name: manifest.name, version: manifest.version };
