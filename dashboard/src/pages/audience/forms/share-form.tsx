import { useQuery } from "@tanstack/react-query";
import { buttonStyle } from "../../../../../src/lib/page-style.ts";
import { queryClient } from "../../../api/query-client.ts";
import { brandQuery } from "../../../parts/brand/brand-query.ts";
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
      const [page, { value: brand }] = await Promise.all([
        fetch(pageOf(form), { signal }),
        queryClient.fetchQuery(brandQuery(form.project_id)),
      ]);
      const { accent, accent_text: accentText } = brand;
      const act = buttonStyle({ accent: form.accent ?? accent, accentText });
      return page.ok ? formIn(await page.text(), form, act) : "";
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
function formIn(html: string, { url, align, embed_heading: hasHeading }: SignupForm, act: string) {
  // without the style of the page, which the policy of the dashboard refuses
  const [main = ""] = /<main>.*<\/main>/s.exec(html) ?? [];
  const page = new DOMParser().parseFromString(main, "text/html");
  const form = page.querySelector("form");
  if (!form) return "";
  form.setAttribute("action", url);
  if (hasHeading) form.prepend(...page.querySelectorAll("main > :is(.logo, h1, .lines)"));
  form.querySelectorAll(".fault, .cf-turnstile, noscript").forEach((part) => part.remove());
  form.querySelector(".trap")?.setAttribute("hidden", "");
  for (const part of form.querySelectorAll(".lines"))
    part.innerHTML = part.innerHTML.replaceAll("\n", "<br>");
  for (const part of form.querySelectorAll("*"))
    for (const name of ["class", "aria-describedby", "data-for"]) part.removeAttribute(name);
  return form.outerHTML
    .replaceAll(/\s*\n\s*/g, "\n")
    .replaceAll(/(<\/?)h1>/g, "$1h2>")
    .replace("<button>", `<button style="${act}">`)
    .replace("<form ", align === "center" ? '<form style="text-align:center" ' : "<form ");
}
