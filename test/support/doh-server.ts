/*
 * A DNS-over-HTTPS resolver (JSON form) with answers chosen by the domain:
 *
 *   nx.test            there is no such domain       null-mx.test     "0 ." (RFC 7505)
 *   servfail.test      SERVFAIL                      slow.test        never answers
 *   address-only.test  no MX, an A record            ipv6-only.test   no MX, no A, an AAAA record
 *   no-mail.test       no MX and no address          alias.test       a CNAME, then an MX
 *   broken.test        is not JSON                   odd.test         JSON of the wrong shape
 *   huge.test          an answer without end         moved.test       a redirect
 *   error.test         HTTP 500                      reset.test       the connection breaks
 *   public.test        public addresses              inside.test      private addresses
 *   proxied.test       addresses of Cloudflare       half.test        a public one, one of Cloudflare
 *   sound.test         SPF of 127.0.0.1, DMARC       weak.test        no SPF, DMARC without reports
 *
 * Any domain below one of them (`one.nx.test`) is answered like it; every other one has an MX.
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Log of every question in order, as "MX example.test". */
export interface DohServer {
  port: number;
  questions: string[];
  close: () => Promise<void>;
}

const record = (type: number, data: string) => ({ name: "any.test.", type, TTL: 300, data });
const A = record(1, "192.0.2.1");
const CNAME = record(5, "mail.any.test.");
const AAAA = record(28, "2001:db8::1");
const MX = record(15, "10 mail.any.test.");
const TXT = (text: string) => record(16, JSON.stringify(text));

type Reply = (response: ServerResponse, type: string) => void;

const status =
  (code: number, answer: unknown[] = []): Reply =>
  (response) =>
    respond(response, JSON.stringify({ Status: code, Answer: answer }));

const records =
  (byType: Partial<Record<string, unknown[]>>): Reply =>
  (response, type) =>
    respond(response, JSON.stringify({ Status: 0, ...answerOf(byType[type]) }));

/** Resolvers omit `Answer` when there is none. */
const answerOf = (answer: unknown[] | undefined) => (answer ? { Answer: answer } : {});

const REPLIES: Record<string, Reply> = {
  "nx.test": status(3),
  "servfail.test": status(2),
  "null-mx.test": records({ MX: [record(15, "0 .")] }),
  "slow.test": () => undefined,
  "address-only.test": records({ A: [A] }),
  "ipv6-only.test": records({ A: [CNAME], AAAA: [AAAA] }),
  "no-mail.test": records({}),
  "alias.test": records({ MX: [CNAME, MX] }),
  "broken.test": (response) => respond(response, "<html>no JSON</html>"),
  "odd.test": (response) => respond(response, '{"Status":0,"Answer":[null,{"type":15,"data":{}}]}'),
  "huge.test": (response) => {
    const more = () => {
      while (!response.destroyed && response.write(" ".repeat(16_384)));
    };
    response.on("drain", more);
    more();
  },
  "moved.test": (response) => response.writeHead(302, { location: "/elsewhere" }).end(),
  "error.test": (response) => response.writeHead(500).end(),
  "reset.test": (response) => response.destroy(),
  "public.test": records({
    A: [CNAME, record(1, "8.8.8.8")],
    AAAA: [record(28, "2001:4860:4860::8888")],
  }),
  "proxied.test": records({ A: [record(1, "104.16.1.1")], AAAA: [record(28, "2606:4700::1")] }),
  "inside.test": records({ A: [record(1, "10.20.30.40")], AAAA: [record(28, "fd00:20::40")] }),
  "sound.test": records({
    MX: [MX],
    TXT: [TXT("v=spf1 ip4:127.0.0.1 -all"), TXT("v=DMARC1; p=reject; rua=mailto:dmarc@sound.test")],
  }),
  "weak.test": records({ MX: [MX], TXT: [TXT("v=DMARC1; p=none")] }),
  "half.test": records({ A: [record(1, "8.8.4.4")], AAAA: [record(28, "2606:4700::1")] }),
};

function respond(response: ServerResponse, body: string): void {
  response.writeHead(200, { "content-type": "application/dns-json" }).end(body);
}

function replyFor(name: string): Reply {
  const script = Object.keys(REPLIES).find((key) => name === key || name.endsWith(`.${key}`));
  return (script && REPLIES[script]) || records({ MX: [MX] });
}

/** Starts the resolver on loopback; `/dns-query?name=…&type=…`. */
export async function startDohServer(): Promise<DohServer> {
  const questions: string[] = [];
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const { searchParams } = new URL(request.url ?? "/", "http://doh.test");
    const name = searchParams.get("name") ?? "";
    const type = searchParams.get("type") ?? "";
    questions.push(`${type} ${name}`);
    if (request.headers.accept === "application/dns-json") replyFor(name)(response, type);
    else response.writeHead(406).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { port: (server.address() as AddressInfo).port, questions, close };
}
