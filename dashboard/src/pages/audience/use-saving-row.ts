import { useMutation, type QueryKey } from "@tanstack/react-query";
import { queryClient } from "../../api/query-client.ts";
import { showToast } from "../../ui/toast.tsx";
import { useAudienceText } from "./use-audience-text.ts";

/** Saves a row of a list, confirms it, and reloads the list. */
export function useSavingRow<T>(queryKey: QueryKey, save: () => Promise<T>, onDone?: () => void) {
  const text = useAudienceText();
  return useMutation({
    mutationFn: save,
    onSuccess: async () => {
      showToast(text.saved);
      onDone?.();
      await queryClient.invalidateQueries({ queryKey });
    },
  });
}
