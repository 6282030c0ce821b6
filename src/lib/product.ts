import manifest from "../../package.json" with { type: "json" };

/** Name and version of this product, for `/version` and outgoing requests. */
export const PRODUCT = { name: manifest.name, version: manifest.version };
