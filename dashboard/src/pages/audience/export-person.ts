import { useMutation } from "@tanstack/react-query";
import { api, type Api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { saveFile } from "../../lib/save-file.ts";

type Page = Api.AddressExport;

/**
 * Saves all data that the project holds about an address as JSON, assembled from the API's pages.
 */
export function useExportPerson(email: string) {
  const { id: projectId } = useProject();
  return useMutation({
    mutationFn: async () => {
      const first = await api.projects.exportAddress({ projectId, email, after: "" });
      const mails = [...first.mails];
      for (let next = first.next; next !== null;) {
        const page: Page = await api.projects.exportAddress({ projectId, email, after: next });
        addMails(mails, page.mails);
        next = page.next;
      }
      const { next: _cursor, ...kept } = first;
      const json = JSON.stringify({ ...kept, mails }, null, 2);
      saveFile(`${email}.json`, new Blob([json], { type: "application/json" }));
    },
  });
}

/** Appends the mails of a page. If the last mail has more clicks, the next page repeats it. */
function addMails(mails: Page["mails"], more: Page["mails"]): void {
  const last = mails.at(-1);
  const [first, ...others] = more;
  if (!last || first?.id !== last.id) mails.push(...more);
  else {
    last.clicks.push(...first.clicks);
    mails.push(...others);
  }
}
