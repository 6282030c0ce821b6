import { mkdirSync, writeFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { newMail } from "../../dashboard/src/pages/templates/blocks/new-mail.ts";
import { renderMail } from "../../dashboard/src/pages/templates/blocks/render-mail.ts";
import { layoutMail, LAYOUTS } from "../../dashboard/src/pages/templates/layouts/layouts.ts";
import { de } from "../../dashboard/src/pages/templates/layouts/text.de.ts";
import { en } from "../../dashboard/src/pages/templates/layouts/text.en.ts";
import { PLACEHOLDER_PICTURES, PLACEHOLDERS } from "../../src/lib/placeholders.ts";
import { SYSTEM_TEMPLATES } from "../../src/mail/system-templates/index.ts";
import { compileTemplate, renderTemplate } from "../../src/mail/template/index.ts";

/** Returns the file behind a path of the dashboard. */
const fileOf = (path: string) => path.replace("/dashboard", "dashboard/public");
const FOLDER = "dashboard/src/pages/templates/layouts/pictures";
const ORIGIN = "https://pictures.invalid";
const WORDS = { en, de };

/** Pixels of the pictures that stand in for those of a mail: twice as many as are shown. */
const SIZES = { wide: [1_200, 600], small: [480, 360] } as const;

/** Pixels of the mail that a picture shows, and how many of the picture show one of the mail. */
const SHOWN = { width: 616, height: 770 };
const SCALE = 0.52;

/** Values of the variables in the mails. */
const DATA = {
  order_number: "2026-1042",
  order_date: "24 November 2026",
  items: [
    { name: "Notebook", quantity: 2, price: "18.00" },
    { name: "Pencil", quantity: 5, price: "7.50" },
  ],
  total: "25.50",
  currency: "EUR",
  receipt_url: ORIGIN,
  verification_url: ORIGIN,
  code: "481 302",
  expires_in: "30 minutes",
  action_url: ORIGIN,
  action_label: "Get started",
  username: "ada@example.com",
  password: "correct horse",
  login_url: ORIGIN,
  product_name: "Tidewater",
  unsubscribe_url: ORIGIN,
};

/** Draws the pictures in the layouts, and takes those of the gallery, in each language. */
export async function takeLayoutPictures(browser: Browser): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const context = await browser.newContext({ viewport: SHOWN, colorScheme: "light" });
  const page = await context.newPage();
  await page.route(`${ORIGIN}/**`, (route) =>
    route.fulfill({ path: fileOf(new URL(route.request().url()).pathname) }),
  );
  for (const name of ["wide", "small"] as const) {
    const [width, height] = SIZES[name];
    await page.setViewportSize({ width, height });
    await page.setContent(placeholder(width, height));
    await page.screenshot({ path: fileOf(PLACEHOLDER_PICTURES[name]) });
  }
  await page.setViewportSize(SHOWN);
  for (const [name, html] of mails()) {
    await page.setContent(html);
    writeFileSync(`${FOLDER}/${name}.webp`, await webpOf(page));
  }
  await context.close();
}

/** Returns the mails, each with the name of its picture. */
function mails(): [name: string, html: string][] {
  const layouts = LAYOUTS.flatMap((layout) =>
    (["en", "de"] as const).map((language): [string, string] => {
      const sender = { name: "Tidewater", origin: ORIGIN, address: PLACEHOLDERS[language].footer };
      const mail = newMail(layoutMail(layout, WORDS[language], sender));
      return [`${layout}-${language}`, mailed(renderMail(mail))];
    }),
  );
  const builtIn = [...SYSTEM_TEMPLATES].map(([name, { htmlBody }]): [string, string] => [
    `built-in-${name}`,
    mailed(htmlBody),
  ]);
  return [...layouts, ...builtIn];
}

const mailed = (source: string) => renderTemplate(compileTemplate(source, { escape: true }), DATA);

/** A landscape in two grays, which fits light and dark mails. */
const placeholder = (width: number, height: number) => `<body style="margin:0">
<svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" shape-rendering="crispEdges">
<rect width="100%" height="100%" fill="#d5dae2"/>
<circle cx="${width * 0.72}" cy="${height * 0.32}" r="${height * 0.11}" fill="#eef0f4"/>
<path d="M0 ${height} L${width * 0.36} ${height * 0.42} L${width * 0.62} ${height} Z" fill="#aab3c2"/>
<path d="M${width * 0.38} ${height} L${width * 0.68} ${height * 0.58} L${width} ${height} Z" fill="#bcc4d0"/>
</svg>`;

/** Returns what a page shows as a small WebP; the browser encodes it. */
async function webpOf(page: Page): Promise<Buffer> {
  const shot = (await page.screenshot()).toString("base64");
  const drawing = await page.context().newPage();
  const url = await drawing.evaluate(
    `(async () => {
      const image = new Image();
      image.src = "data:image/png;base64,${shot}";
      await image.decode();
      const canvas = document.createElement("canvas");
      canvas.width = Math.round(image.width * ${SCALE});
      canvas.height = Math.round(image.height * ${SCALE});
      const context = canvas.getContext("2d");
      context.imageSmoothingQuality = "high";
      context.drawImage(image, 0, 0, canvas.width, canvas.height);
      return canvas.toDataURL("image/webp", 0.72);
    })()`,
  );
  await drawing.close();
  return Buffer.from(String(url).split(",")[1] ?? "", "base64");
}
