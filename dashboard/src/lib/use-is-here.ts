import { useRouter } from "@tanstack/react-router";
import { useState } from "react";

/**
 * Returns a function: true if the user is still on the page where the component was mounted, or on
 * a page below `place`, which no longer exists after a deletion. Work that ends late navigates only
 * then, never away from a page opened meanwhile.
 */
export function useIsHere(place?: string): () => boolean {
  const { history } = useRouter();
  const [appearedAt] = useState(() => history.location.pathname);
  return () => {
    const { pathname } = history.location;
    return (
      pathname === appearedAt || (place !== undefined && `${pathname}/`.startsWith(`${place}/`))
    );
  };
}
