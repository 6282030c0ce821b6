import { useRouter } from "@tanstack/react-router";
import { useState } from "react";

/**
 * Tells whether the page on which a component appeared is still in the address, or another page
 * below `place`, which is gone when something is deleted. Work that ends late leads on from there
 * alone, never away from a page that somebody opened meanwhile.
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
