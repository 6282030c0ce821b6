import { useEffect, type ReactNode } from "react";
import { Wordmark } from "../../ui/mark.tsx";
import { pageTitle } from "../../lib/page-title.ts";

/** Layout of the pages before the login. */
export function AuthFrame({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => pageTitle.show(title), [title]);
  return (
    <main className="mx-auto flex w-full max-w-sm flex-col gap-5 px-4 py-12 sm:py-24">
      <p className="mb-3">
        <Wordmark />
      </p>
      <h1 className="text-2xl font-semibold">{title}</h1>
      {children}
    </main>
  );
}

/** Returns the token after `#token=` in the URL; browsers never send the fragment to a server. */
export const tokenOfAddress = (): string =>
  new URLSearchParams(location.hash.slice(1)).get("token") ?? "";
