import {
  band,
  button,
  columns,
  divider,
  heading,
  image,
  list,
  space,
  text,
} from "../blocks/build.ts";
import { FONTS, type Block } from "../blocks/model.ts";
import type { Sample } from "./sample.ts";

export function invitation({ words, pictures }: Sample): Block[] {
  const { invitation: own, picture } = words;
  const fact = (label: string, what: string, more: string) => [
    text([label], { size: "small", align: "center" }),
    heading(2, what, "center"),
    text([more], { align: "center" }),
  ];
  return [
    image(pictures.wide, picture, { isWide: true }),
    space(24),
    text([[{ text: own.kicker, isBold: true }]], { size: "small", align: "center" }),
    heading(0, own.title, "center"),
    text([own.lead], { size: "large", align: "center" }),
    button(own.come, { align: "center" }),
    space(24),
    columns(
      [
        fact(own.when, own.day, own.hour),
        fact(own.where, own.place, own.street),
        fact(own.cost, own.free, own.seats),
      ],
      { band: "soft" },
    ),
    space(24),
    heading(1, own.programme),
    text(
      own.slots.map(([hour = "", what = ""]) => [
        { text: hour, isBold: true },
        { text: ` · ${what}` },
      ]),
    ),
    space(8),
    button(own.cannot, { isOutlined: true }),
    text([own.note], { size: "small" }),
  ];
}

/** A row of the order, or its sum; the variables are those of the built-in purchase confirmation. */
function orderRow(left: string, amount: string, weight: 400 | 700): string {
  const cell = `style="padding:12px 0;border-top:1px solid #dcdce1;font:${weight} 16px/24px ${FONTS.sans};color:#18181b"`;
  return `<tr><td class="ink line" align="left" ${cell}>${left}</td><td class="ink line" align="right" ${cell}>${amount}</td></tr>`;
}

export function receipt({ words }: Sample): Block[] {
  const { receipt: own, greeting } = words;
  const price = "{{price}}{{#if ../currency}} {{../currency}}{{/if}}";
  const total = "{{total}}{{#if currency}} {{currency}}{{/if}}";
  const rows = `{{#each items}}${orderRow("{{name}}{{#if quantity}} × {{quantity}}{{/if}}", price, 400)}{{/each}}${orderRow(own.total, total, 700)}`;
  return [
    heading(0, own.title),
    text([greeting, own.lead]),
    space(16),
    columns(
      [
        [text([own.number], { size: "small" }), heading(3, "{{order_number}}")],
        [text([own.date], { size: "small" }), heading(3, "{{order_date}}")],
      ],
      { band: "soft" },
    ),
    space(16),
    heading(2, own.items),
    {
      type: "html",
      id: "",
      html: `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">${rows}</table>`,
    },
    button(own.view, { url: "{{receipt_url}}" }),
    text([own.help], { size: "small" }),
  ];
}

export function welcome({ words }: Sample): Block[] {
  const { welcome: own } = words;
  return [
    band("accent", heading(0, own.title), text([own.lead], { size: "large" }), button(own.start)),
    space(24),
    ...own.steps.flatMap(([number = "", title = "", body = ""]) => [
      columns([[heading(0, number)], [heading(2, title), text([body])]], { first: 20 }),
      space(16),
    ]),
    band("soft", heading(2, own.help), text([own.helpWords])),
  ];
}

export function offer({ words, pictures }: Sample): Block[] {
  const { offer: own, picture } = words;
  return [
    band(
      "accent",
      space(16),
      text([[{ text: own.kicker, isBold: true }]], { align: "center" }),
      heading(0, own.title, "center"),
      text([own.lead], { size: "large", align: "center" }),
      space(16),
    ),
    band(
      "soft",
      text([own.codeLabel], { size: "small", align: "center" }),
      heading(0, own.code, "center"),
      button(own.shop, { align: "center" }),
    ),
    space(24),
    heading(2, own.picks, "center"),
    columns(
      own.products.map(([name = "", price = ""]) => [
        image(pictures.small, picture),
        heading(3, name, "center"),
        text([price], { size: "small", align: "center" }),
      ]),
    ),
    divider,
    text([own.terms], { size: "small", align: "center" }),
  ];
}

export function survey({ words }: Sample): Block[] {
  const { survey: own, greeting } = words;
  return [
    heading(0, own.title),
    text([greeting, own.lead]),
    space(16),
    band("soft", heading(2, own.question, "center")),
    columns(
      own.answers.map((answer) => [button(answer, { align: "center", isOutlined: true })]),
      { band: "soft" },
    ),
    band("soft", text([own.hint], { size: "small", align: "center" })),
    space(24),
    heading(2, own.why),
    list(own.reasons),
    button(own.more),
    text([own.thanks]),
  ];
}
