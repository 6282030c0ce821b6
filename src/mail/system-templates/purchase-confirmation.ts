import {
  brandAfter,
  button,
  eitherLines,
  GREETING,
  heading,
  optional,
  paragraph,
  urlNames,
  urlVariables,
} from "./blocks.ts";
import { htmlLayout, SHARED_VARIABLES, textLayout, transactionalReason } from "./layout.ts";
import { look } from "./looks.ts";
import type { SystemTemplate } from "./system-template.ts";

const RECEIPT_URL = urlNames("receipt");

const title = "Thank you for your purchase";
const order = "{{#if order_number}} {{order_number}}{{/if}}";
const intro = `We have received your order${order}{{#if order_date}}, placed on {{order_date}}{{/if}}.`;
/**
 * An amount as formatted by the caller, because shops format amounts differently. Zero is an
 * amount.
 */
const price = "{{price}}{{#if ../currency}} {{../currency}}{{/if}}";
const total = "{{total}}{{#if currency}} {{currency}}{{/if}}";
const IF_PRICE = "{{#if price includeZero=true}}";
const IF_TOTAL = "{{#if total includeZero=true}}";
const quantity = "{{#if quantity}} × {{quantity}}{{/if}}";

const right = "padding-left:16px;text-align:right;white-space:nowrap;word-break:normal;";
const table = (rows: string) =>
  `<table width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:20px 0 24px;border-collapse:collapse;">${rows}</table>`;
const row = (name: "cell" | "total", left: string, amount: string) =>
  `<tr><td align="left" ${look(name)}>${left}</td><td align="right" ${look(name, right)}>${amount}</td></tr>`;
const columnHeads = `<tr><th scope="col" align="left" ${look("columnHead")}>Item</th><th scope="col" align="right" ${look("columnHead", right)}>Price</th></tr>`;
const itemRow = row("cell", `{{name}}${quantity}`, `${IF_PRICE}${price}{{/if}}`);
const totalRow = `${IF_TOTAL}${row("total", "Total", total)}{{/if}}`;

const parts = {
  title,
  preheader: `${intro}${IF_TOTAL} Total: ${total}.{{/if}}`,
  html: [
    heading(title),
    paragraph(GREETING),
    paragraph(intro),
    `{{#if items}}${table(`${columnHeads}{{#each items}}${itemRow}{{/each}}${totalRow}`)}{{else}}${IF_TOTAL}${table(row("total", "Total", total))}{{/if}}{{/if}}`,
    button(RECEIPT_URL, "View receipt", "alone"),
  ].join("\n"),
  text: `${GREETING}

${intro}
{{#if items}}

{{#each items}}
- {{name}}${quantity}${IF_PRICE}: ${price}{{/if}}
{{/each}}
{{/if}}
${IF_TOTAL}

Total: ${total}
{{/if}}
${eitherLines(RECEIPT_URL, (url) => `\nView receipt:\n${url}`)}
`,
  reason: transactionalReason("you made a purchase"),
};

/** Confirms an order with its items and their prices. */
export const PURCHASE_CONFIRMATION: SystemTemplate = {
  name: "purchase_confirmation",
  subject: `Your order${order}${brandAfter("at")}`,
  htmlBody: htmlLayout(parts),
  textBody: textLayout(parts),
  variables: [
    optional("order_number", "number of the order, in subject and text"),
    optional("order_date", "date of the order, as displayed"),
    optional("items", "list of what was bought"),
    optional("items[].name", "name of the item"),
    optional("items[].quantity", "quantity of the item"),
    optional("items[].price", "price of the line, as displayed"),
    optional("total", "sum, as displayed"),
    optional("currency", "written after every amount: `EUR`; omit it for `$49.00`"),
    ...urlVariables("receipt", "target of the button; no button without it"),
    optional("name", "the recipient's name; automatic in emails to subscribers"),
    ...SHARED_VARIABLES,
  ],
};
