import { useEffect, useState } from "react";
import { queryClient } from "../api/query-client.ts";
import { otherTabs } from "../api/other-tabs.ts";
import { meQuery, useMe } from "../api/session.ts";

/**
 * Reloads the start page when another user signs in from another browser tab: the page would
 * otherwise show the previous user's data, and write as the new one.
 */
export function useSamePerson(): void {
  const { user } = useMe();
  const [firstId] = useState(user.id);
  useEffect(() => otherTabs.onLogin(() => void queryClient.invalidateQueries(meQuery)), []);
  useEffect(() => {
    if (user.id !== firstId) location.assign("/");
  }, [user.id, firstId]);
}
