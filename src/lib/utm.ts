/** Campaign parameters for the links of a mail, without their prefix `utm_`. */
export interface Utm {
  source?: string;
  medium?: string;
  campaign?: string;
}

/** What a broadcast sets: parameters that replace those of the project, or none on any link. */
export type UtmChoice = Utm | "off";

/** The parameters of a broadcast, and its name. */
export interface BroadcastUtm {
  own: UtmChoice;
  name: string;
}

/**
 * Decides the parameters of a mail: those of its broadcast replace those of the project. The campaign
 * is the name of the broadcast unless one of them sets it. Empty if neither sets any, or if the
 * broadcast switches them off.
 */
export function decideUtm(project: Utm, broadcast?: BroadcastUtm): Utm {
  if (broadcast?.own === "off") return {};
  const given = { ...project, ...broadcast?.own };
  const campaign = slugOf(broadcast?.name ?? "");
  return Object.keys(given).length === 0 || campaign === "" ? given : { campaign, ...given };
}

/** Returns a text in lowercase with hyphens between its words: `spring-sale-2026`. */
const slugOf = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "");
