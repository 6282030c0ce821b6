/** What a mail, a template, a broadcast or a project sets about tracking; a missing switch says nothing. */
export interface TrackingSwitches {
  opens?: boolean;
  clicks?: boolean;
}

/** Decides what a mail tracks: the last level that sets a switch wins, and both are on by default. */
export const decideTracking = (...levels: (TrackingSwitches | undefined)[]) =>
  levels.reduce<Required<TrackingSwitches>>((above, level) => ({ ...above, ...level }), {
    opens: true,
    clicks: true,
  });
