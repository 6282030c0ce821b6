/** Newsletters of a bookshop, with the shares of their readers who open them and click. */
export const LETTERS = [
  {
    name: "Autumn reading",
    subject: "Eight novels for the first cold week",
    books: ["The Lamplighter's Atlas", "Salt Road", "A House of Many Rains"],
    opened: 0.42,
    clicked: 0.11,
  },
  {
    name: "Readings in November",
    subject: "Three evenings with authors",
    books: ["Mara Lind, 12 November", "Tomas Ekberg, 19 November", "Ines Castro, 26 November"],
    opened: 0.68,
    clicked: 0.27,
  },
  {
    name: "Monthly letter",
    subject: "Six new books for long evenings",
    books: ["Winter Ferries", "The Cartographer's Daughter", "North of Every Map"],
    opened: 0.6,
    clicked: 0.16,
  },
];

const BAND = "background:#223a34;color:#f4efe4;padding:28px 32px;font:600 20px Georgia,serif";
const COVER = "width:44px;height:60px;background:#c9b58f";
const BUTTON =
  "display:inline-block;background:#b4532a;color:#ffffff;padding:12px 20px;text-decoration:none";

/** The HTML of a newsletter. */
export const letterHtml = ({ subject, books }: (typeof LETTERS)[number]): string => `<!doctype html>
<body style="margin:0;background:#ece6d9">
<table role="presentation" width="100%" style="max-width:600px;margin:0 auto;background:#fffdf8;border-collapse:collapse;font:16px/1.5 Georgia,serif;color:#2b2620">
<tr><td style="${BAND}">Tidewater Books</td></tr>
<tr><td style="padding:32px 32px 0">
<h1 style="margin:0 0 16px;font-size:28px;line-height:1.2">${subject}</h1>
<p>Hello {{name}},</p>
<p>the shelves are full again, and the kettle is on. These are the ones we could not put down:</p>
</td></tr>
<tr><td style="padding:8px 32px"><table role="presentation">
${books
  .map(
    (book) => `<tr><td style="padding:8px 16px 8px 0"><div style="${COVER}"></div></td>
<td><b>${book}</b><br><span style="color:#6d6353">On the table by the window</span></td></tr>`,
  )
  .join("\n")}
</table></td></tr>
<tr><td style="padding:16px 32px 32px"><a href="https://books.example/new" style="${BUTTON}">See what is new</a></td></tr>
<tr><td style="padding:20px 32px;font-size:13px;color:#6d6353;border-top:1px solid #e4dccb">
Tidewater Books, 4 Harbour Street<br><a href="{{unsubscribe_url}}" style="color:#6d6353">Unsubscribe</a></td></tr>
</table></body>`;
