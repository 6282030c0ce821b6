import { useMutation, type QueryKey } from "@tanstack/react-query";
import { queryClient } from "../../api/query-client.ts";
import { showToast } from "../../ui/toast.tsx";
import { useSettingsText } from "./use-settings-text.ts";

/** Saves settings, confirms it, and reloads what depends on them. */
export function useSaving<T>(queryKey: QueryKey, save: () => Promise<T>) {
  const text = useSettingsText();
  return useMutation({
    mutationFn: save,
    onSuccess: async () => {
      showToast(text.saved, undefined, { isOfPage: true });
      await queryClient.invalidateQueries({ queryKey });
    },
  });
}
