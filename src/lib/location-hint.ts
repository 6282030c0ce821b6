/** Regions in which a Durable Object can be placed (Durable Objects, "Data location"). */
export const LOCATION_HINTS = [
  "wnam",
  "enam",
  "sam",
  "weur",
  "eeur",
  "apac",
  "oc",
  "afr",
  "me",
] as const;
export type LocationHint = (typeof LOCATION_HINTS)[number];

/** Origin of a request, as reported by the platform. */
export interface Origin {
  continent?: string | undefined;
  country?: string | undefined;
  /** Degrees east, as a decimal number. */
  longitude?: string | undefined;
}

const MIDDLE_EAST = new Set(
  "AE BH IL IQ IR JO KW LB OM PS QA SA SY YE".split(" "), // ISO 3166-1
);

/**
 * Meridians that divide North America between Denver and Chicago, and Europe between Berlin and
 * Warsaw.
 */
const EAST_FROM = { NA: -97, EU: 16 };

/** Returns the region nearest to a request's origin; undefined if unknown. */
export function hintNear({ continent, country, longitude }: Origin): LocationHint | undefined {
  if (country !== undefined && MIDDLE_EAST.has(country)) return "me";
  const isEast = (from: number) => Number(longitude ?? Number.NaN) >= from;
  switch (continent) {
    case "NA":
      return isEast(EAST_FROM.NA) ? "enam" : "wnam";
    case "EU":
      return isEast(EAST_FROM.EU) ? "eeur" : "weur";
    case "SA":
      return "sam";
    case "AS":
      return "apac";
    case "OC":
      return "oc";
    case "AF":
      return "afr";
    default:
      return undefined;
  }
}
