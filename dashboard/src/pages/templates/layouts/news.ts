import {
  band,
  button,
  columns,
  divider,
  heading,
  image,
  link,
  list,
  space,
  text,
} from "../blocks/build.ts";
import type { Block } from "../blocks/model.ts";
import type { Sample } from "./sample.ts";

export function newsletter({ words, pictures }: Sample): Block[] {
  const { newsletter: own, greeting, picture } = words;
  const story = (title: string, body: string) =>
    columns(
      [
        [image(pictures.small, picture)],
        [heading(2, title), text([body]), text([[link(own.read)]])],
      ],
      { first: 33 },
    );
  return [
    image(pictures.wide, picture, { isWide: true }),
    space(16),
    text([own.issue], { size: "small" }),
    heading(0, own.title),
    text([greeting, own.lead], { size: "large" }),
    button(own.more),
    divider,
    story(own.firstTitle, own.first),
    space(16),
    story(own.secondTitle, own.second),
    space(24),
    band("soft", heading(2, own.dates)),
    columns(
      [
        [heading(3, own.dateOne), text([own.dateOneWords])],
        [heading(3, own.dateTwo), text([own.dateTwoWords]), button(own.reserve)],
      ],
      { band: "soft" },
    ),
  ];
}

export function productNews({ words, pictures }: Sample): Block[] {
  const { product_news: own, picture } = words;
  return [
    band(
      "accent",
      text([[{ text: own.kicker, isBold: true }]], { size: "small" }),
      heading(0, own.title),
      text([own.lead], { size: "large" }),
      button(own.try),
    ),
    image(pictures.wide, picture, { isWide: true }),
    space(16),
    heading(1, own.more),
    columns([
      [heading(2, own.firstTitle), text([own.first])],
      [heading(2, own.secondTitle), text([own.second])],
    ]),
    space(24),
    band("soft", heading(2, own.fixed), list(own.fixes), button(own.all, { isOutlined: true })),
  ];
}

export function digest({ words }: Sample): Block[] {
  const { digest: own, greeting } = words;
  const stories = own.stories.flatMap(([title = "", body = ""]) => [
    divider,
    heading(2, title),
    text([body]),
    text([[link(own.read)]]),
  ]);
  return [
    text([own.date], { size: "small" }),
    heading(0, own.title),
    text([greeting, own.lead], { size: "large" }),
    ...stories,
    space(24),
    band("soft", heading(2, own.numbers, "center")),
    columns(
      own.figures.map(([figure = "", what = ""]) => [
        heading(0, figure, "center"),
        text([what], { size: "small", align: "center" }),
      ]),
      { band: "soft" },
    ),
    space(16),
    button(own.all, { align: "center" }),
  ];
}

export function announcement({ words, pictures }: Sample): Block[] {
  const { announcement: own, greeting, picture } = words;
  return [
    image(pictures.wide, picture, { isWide: true }),
    space(16),
    text([[{ text: own.kicker, isBold: true }]], { size: "small" }),
    heading(0, own.title),
    text([greeting, ...own.body]),
    { type: "quote", id: "", text: own.quote, by: own.by },
    space(16),
    band("soft", heading(2, own.changes), list(own.list), button(own.visit)),
  ];
}

export function letter({ words }: Sample): Block[] {
  const { letter: own, greeting } = words;
  return [
    text([
      greeting,
      ...own.body,
      [{ text: own.askBefore }, link(own.ask), { text: own.askAfter }],
      `${own.close}\n${own.by}`,
    ]),
    space(8),
    text([own.post]),
    space(24),
  ];
}
