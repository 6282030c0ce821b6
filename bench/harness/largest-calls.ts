import type { Owner, Project } from "./account.ts";

const MIB = 1_048_576;
const ATTACHMENT_BYTES = 10 * MIB;
const RECIPIENTS = 5_000;
const ROWS = 50_000;

/** A request of the maximum size that its route accepts. */
export interface Largest {
  name: string;
  path: string;
  body: unknown;
}

/**
 * Returns the largest valid requests of a project: a send with 10 MiB of attachments, a batch of
 * 5,000 recipients with 10 MiB of data, and an import of 50,000 rows. All contain characters beyond
 * Latin-1, which take two bytes in memory.
 */
export async function largestCalls({ id }: Project, owner: Owner): Promise<Largest[]> {
  const template = await owner.api<{ id: string }>("POST", `/projects/${id}/templates`, {
    name: "Batch",
    subject: "Hi {{name}}",
    html_body: "<p>Hi {{name}}</p>",
  });
  const filler = (bytes: number) => "x".repeat(bytes);
  const content = Buffer.alloc(ATTACHMENT_BYTES, "attachment").toString("base64");
  return [
    {
      name: `send, ${ATTACHMENT_BYTES / MIB} MiB of attachments`,
      path: "send",
      body: {
        to: "buyer@shop.test",
        subject: "Your order \u20ac",
        html_body: "<p>Thank you.</p>",
        attachments: [{ filename: "order.bin", content }],
      },
    },
    {
      name: `batch, ${RECIPIENTS} recipients`,
      path: "send/batch",
      body: {
        template_id: template.id,
        recipients: Array.from({ length: RECIPIENTS }, (_, n) => ({
          to: `buyer${n}@shop.test`,
          data: { name: `Buyer ${n} \u20ac`, filler: filler(2_010) },
        })),
      },
    },
    {
      name: `import, ${ROWS} rows`,
      path: "subscribers/import",
      body: Array.from({ length: ROWS }, (_, n) => ({
        email: `person${n}@d${n % 200}.takes-mail.test`,
        name: `Person ${n} \u20ac`,
        metadata: { source: "shop", plan: "free", note: filler(200) },
      })),
    },
  ];
}
