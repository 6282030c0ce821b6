import { useEffect, useState } from "react";
import { queryClient } from "../api/query-client.ts";
import { otherTabs } from "../api/other-tabs.ts";
import { meQuery, useMe } from "../api/session.ts";

/**
 * Begins anew when somebody else signed in, in another tab of the browser: the pages of the person
 * before would show what theirs was, and write in the name of the new one.
 */
export function useSamePerson(): void {
  const { user } = useMe();
  const [firstId] = useState(user.id);
  useEffect(() => otherTabs.onLogin(() => void queryClient.invalidateQueries(meQuery)), []);
  useEffect(() => {
    if (user.id !== firstId) location.assign("/");
  }, [user.id, firstId]);
}
