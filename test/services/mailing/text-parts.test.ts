/* A text part that is made from the HTML: the same on every way of sending. */
import PostalMime from "postal-mime";
import { expect, it } from "vitest";
import { waitForMessage } from "../../support/mailbox.ts";
import { CAPTURING, createService, unique } from "../../support/service.ts";

const service = createService();
const owner = await service.newOwner();
const address = () => `${unique("text-parts")}@any.test`;

/** The limit of a project. */
const TESTS_PER_MINUTE = 10;

const PATTERNS: [html: string, text: string][] = [
  [
    '{{#if vip}}<a href="https://shop.example/vip">{{else}}<a href="https://shop.example/all">{{/if}}Shop</a>',
    "Shop (https://shop.example/vip)",
  ],
  ["<ol>{{#each items}}<li>{{this}}</li>{{/each}}</ol>", "1. a\n2. b\n3. c"],
  [
    "<ul>{{#each items}}<li>{{this}}<ol><li>x</ol>{{/each}}</ul>",
    "- a\n  1. x\n- b\n  1. x\n- c\n  1. x",
  ],
  ['{{#if vip}}<div style="display:none">{{/if}}Join{{#if vip}}</div>{{/if}}Hi', "Hi"],
  ["<p>Hi</p><p {{#if vip}}hidden{{/if}}>Join</p>", "Hi"],
  ['<p style="display:{{none}}">Join</p>Hi', "Hi"],
  ['<a href="{{nope}}">Read more</a>', "Read more"],
  ['<a href="{{url}}">{{url}}</a>', "https://a.example/x?b=1&c"],
  ['<a href="{{url}}"><img alt="{{nope}}"></a>', "https://a.example/x?b=1&c"],
  ['<a href="https://a.example/?q={{words}}">x</a>', "x (https://a.example/?q=a%20%20b&c)"],
  [
    '<p style="color:{{words}}">To <a href="https://a.example/a?b=1&amp;c">us</a></p>',
    "To us (https://a.example/a?b=1&c)",
  ],
  ["<p>{{words}}</p>", "a b&c"],
  ["<pre>{{words}}</pre>", "a  b&c"],
  ["<p>{{nope}}</p><p>end {{nope}}</p>", "end"],
  ["{{{markup}}}", "bold\nx"],
  [
    "<!-- {{words}} --><table>{{#each items}}<tr><td>{{this}}<td>{{../nope}}<td>x{{/each}}</table>",
    "a | x\nb | x\nc | x",
  ],
];
const DATA = {
  vip: true,
  items: ["a", "b", "c"],
  none: "none",
  url: "https://a.example/x?b=1&c",
  words: "a  b&c",
  markup: "<b>bold</b><br>x",
};

it("is the text of the rendered HTML in a send, a batch, a preview, a test and a broadcast", async () => {
  const newSender = async () => {
    const { id, key } = await owner.newProject(CAPTURING);
    return { path: `/projects/${id}`, sk: service.withKey(key) };
  };
  let { path, sk } = await newSender();
  const textTo = async (to: string) =>
    (await PostalMime.parse((await waitForMessage(to)).raw)).text?.trim();
  const newTemplate = async (html_body: string) => {
    const template = { name: unique("template"), subject: "s", html_body };
    return String((await owner.post(`${path}/templates`, template)).body["id"]);
  };
  for (const [n, [html_body, text]] of PATTERNS.entries()) {
    if (n % TESTS_PER_MINUTE === 0) ({ path, sk } = await newSender());
    const template_id = await newTemplate(html_body);
    const [single, batch, test] = [address(), address(), address()];
    const recipients = [{ to: batch, data: DATA }];
    const sent = [
      await sk.post(`${path}/send`, { to: single, template_id, data: DATA }),
      await sk.post(`${path}/send/batch`, { template_id, recipients }),
      await sk.post(`${path}/templates/${template_id}/test`, { to: [test], data: DATA }),
    ];
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200]);
    const preview = { subject: "s", html_body, data: DATA };
    const { body } = await sk.post(`${path}/templates/preview`, preview);
    const texts = await Promise.all([single, batch, test].map(textTo));
    expect([body["text_body"], ...texts], html_body).toEqual([text, text, text, text]);
  }
  const email = address();
  await owner.post(`${path}/subscribers`, { email, metadata: DATA });
  const all = PATTERNS.map(([html]) => `<div>${html}</div>`).join("\n");
  const template_id = await newTemplate(`{{#with metadata}}${all}{{/with}}`);
  await sk.post(`${path}/broadcast`, { template_id });
  const words = [...PATTERNS.map(([, text]) => text), "Unsubscribe:"].join("\n");
  const flat = (text = "") => text.replace(/\s+/g, " ").trim();
  expect(flat(await textTo(email))).toContain(flat(words));
});
