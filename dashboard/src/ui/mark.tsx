/** The mark of Postrider: a letter whose flap leans forward. Also icon.svg and docs/images/logo. */
const MARK = "M7 4.5h16l-10 7.2zM5.6 6.9l6.6 7.6L22.6 7l-4 12.5H1.4z";

/** The mark with the name beside it. */
export const Wordmark = () => (
  <span className="inline-flex items-center gap-2 font-semibold tracking-tight">
    <svg aria-hidden viewBox="0 0 24 24" className="size-6 fill-accent">
      <path d={MARK} />
    </svg>
    Postrider
  </span>
);
