// worker-mailer in the service's runtime: `POST /` with a PeerLoad, over the given number of
// connections.
import { LogLevel, WorkerMailer } from "worker-mailer";
import type { PeerLoad } from "../peers/nodemailer.ts";

export { Settler } from "./settler.ts"; // wrangler.toml names it for each of these Workers

export default {
  async fetch(request): Promise<Response> {
    const { port, connections, count, mail } = await request.json<PeerLoad>();
    const put = (value: string, n: number) => value.replaceAll("{n}", String(n));
    const options = {
      host: "127.0.0.1",
      port,
      secure: false,
      startTls: false,
      logLevel: LogLevel.NONE,
    };
    const mailers = await Promise.all(
      Array.from({ length: connections }, () => WorkerMailer.connect(options)),
    );
    const startedAt = Date.now();
    let next = 0;
    const sendSome = async (mailer: WorkerMailer) => {
      for (let n = next++; n < count; n = next++)
        await mailer.send({
          from: mail.from,
          to: put(mail.to, n),
          subject: put(mail.subject, n),
          html: put(mail.html, n),
          text: put(mail.text, n),
        });
    };
    await Promise.all(mailers.map(sendSome));
    const endedAt = Date.now();
    await Promise.all(mailers.map((mailer) => mailer.close()));
    return Response.json({ startedAt, endedAt });
  },
} satisfies ExportedHandler;
