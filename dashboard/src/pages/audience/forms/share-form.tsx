import { useQuery } from "@tanstack/react-query";
import { LINK } from "../../../ui/button.tsx";
import { CodeBlock } from "../../../ui/code-block.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import type { SignupForm } from "./form-queries.ts";
import { useFormsText } from "./use-forms-text.ts";

/** The page of a form at the address of the dashboard, whose policy frames no other. */
export const pageOf = ({ id }: Pick<SignupForm, "id">) => `/f/${id}`;

/** The link to a form, and the codes that embed it. */
export function ShareForm({ form }: { form: SignupForm }) {
  const text = useFormsText();
  const html = useQuery({
    queryKey: ["project", form.project_id, "forms", form.id, "html", form.updated_at],
    queryFn: async ({ signal }) => {
      const page = await fetch(pageOf(form), { signal });
      return page.ok ? formIn(await page.text(), form.url) : "";
    },
    enabled: form.is_open,
  });
  if (!form.is_open) return <p>{text.closedWords}</p>;
  return (
    <div className="flex flex-col gap-4">
      <p>
        <a href={form.url} target="_blank" rel="noreferrer" className={LINK}>
          {text.openPage}
        </a>
      </p>
      <CodeBlock label={text.link} code={form.url} />
      <CodeBlock label={text.script} code={`<script src="${form.url}.js" async></script>`} />
      <details>
        <summary className="mb-3 text-sm font-medium">{text.html}</summary>
        <Loaded query={html}>{(code) => <CodeBlock label={text.html} code={code} />}</Loaded>
      </details>
    </div>
  );
}

/** Returns the HTML of the form on its page, for another page without our styles and scripts. */
function formIn(html: string, url: string): string {
  // without the style of the page, which the policy of the dashboard refuses
  const [only = ""] = /<form.*<\/form>/s.exec(html) ?? [];
  const form = new DOMParser().parseFromString(only, "text/html").querySelector("form");
  if (!form) return "";
  form.setAttribute("action", url);
  form.querySelectorAll(".fault, .cf-turnstile, noscript").forEach((part) => part.remove());
  form.querySelector(".trap")?.setAttribute("hidden", "");
  for (const part of form.querySelectorAll("*"))
    for (const name of ["class", "aria-describedby", "data-for"]) part.removeAttribute(name);
  return form.outerHTML.replaceAll(/\s*\n\s*/g, "\n");
}
