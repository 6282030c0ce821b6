import type { ReactNode } from "react";
import { classes } from "../../../lib/class-names.ts";
import { Button } from "../../../ui/button.tsx";

/** What a mail starts with. */
interface Start {
  subject: string;
  preheader: string;
  html_body: string;
  text_body: string;
}

interface Shown {
  key: string;
  name: string;
  detail: string;
  /** A picture, or the URL of one of 320 × 400 pixels. */
  picture?: ReactNode;
  /** What is shown without a picture. */
  icon?: ReactNode;
}

export interface Choice extends Shown {
  make: () => Start | Promise<Start>;
}

interface GalleryProps<One extends Shown> {
  title: string;
  hint?: string;
  choices: readonly One[];
  offBecause?: string | undefined;
  /** Key of the choice that is being made. */
  busyKey?: string | undefined;
  onChoose: (choice: One) => void;
}

/** Things to start with, each as a button with a picture. */
export function Gallery<One extends Shown>(props: GalleryProps<One>) {
  const { title, hint, choices, offBecause, busyKey, onChoose } = props;
  return (
    <section className="flex flex-col gap-3">
      <div>
        <h2 className="font-semibold">{title}</h2>
        {hint !== undefined && <p className="text-sm text-muted">{hint}</p>}
      </div>
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-4 lg:grid-cols-4">
        {choices.map((choice) => (
          <li key={choice.key} className="flex">
            <Button
              className="w-full flex-col items-stretch! justify-start! gap-3! p-2! text-left"
              offBecause={offBecause}
              isBusy={busyKey === choice.key}
              onClick={() => busyKey ?? onChoose(choice)}
            >
              <span
                className={classes(
                  "flex items-center justify-center overflow-hidden rounded border border-line bg-sunken text-muted",
                  choice.icon === undefined ? "aspect-4/5" : "aspect-5/2",
                )}
              >
                {typeof choice.picture === "string" ? (
                  <img
                    src={choice.picture}
                    alt=""
                    width={320}
                    height={400}
                    loading="lazy"
                    className="size-full object-cover object-top dark:brightness-90"
                  />
                ) : (
                  (choice.picture ?? choice.icon)
                )}
              </span>
              <span className="px-1 pb-1">
                <span className="block">{choice.name}</span>
                <span className="block text-sm font-normal text-muted">{choice.detail}</span>
              </span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
