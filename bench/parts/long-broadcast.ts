import { withCleanUp } from "../harness/clean-up.ts";
import type { PartResult, Sizes } from "../harness/report.ts";
import { CONNECTIONS, measureOurs, measurePeer, openField } from "./broadcast.ts";

/** Goal of a long list's rate, as a multiple of nodemailer's. */
const GOAL = 2.2;

/**
 * Measures a broadcast to a long list without latency, to a server with CHUNKING. The peer sends
 * part of the list before it and part after it, because its rate does not depend on the length.
 */
export async function measureLongBroadcast(sizes: Sizes): Promise<PartResult> {
  const { longList: recipients, longListPeer } = sizes;
  return withCleanUp(async (atEnd) => {
    const field = await openField({ ...sizes, recipients }, atEnd);
    const peers = { ...field, sizes: { ...field.sizes, recipients: longListPeer } };
    const before = await measurePeer(peers, "nodemailer", 0, true);
    const ours = await measureOurs(field, 0, true);
    const after = await measurePeer(peers, "nodemailer", 0, true);
    const peerRate = (before.rate + after.rate) / 2;
    return {
      title: `Broadcast to ${recipients} recipients, ${CONNECTIONS} connections, no round trip, CHUNKING`,
      columns: ["client", "mails", "mails/s", "× nodemailer", "CPU ms/mail"],
      rows: [
        [
          "nodemailer, before",
          longListPeer,
          before.rate,
          before.rate / peerRate,
          before.cpuMsPerMail,
        ],
        ["Postrider", recipients, ours.rate, ours.rate / peerRate, ours.cpuMsPerMail],
        ["nodemailer, after", longListPeer, after.rate, after.rate / peerRate, after.cpuMsPerMail],
      ],
      goals: [
        {
          what: `broadcast to ${recipients}, times nodemailer`,
          measured: ours.rate / peerRate,
          kind: "at_least",
          limit: GOAL,
        },
        { what: "recipients lost", measured: ours.lost, kind: "at_most", limit: 0 },
        { what: "recipients mailed twice", measured: ours.twice, kind: "at_most", limit: 0 },
      ],
      notes: ["One round: a long list averages over its own length."],
    };
  });
}
