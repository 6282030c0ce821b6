const KEY = "postrider.login";

/** The other tabs of the browser, which have the same session. */
export const otherTabs = {
  tellLogin: (): void => localStorage.setItem(KEY, String(Date.now())),
  onLogin: (run: () => void): (() => void) => {
    // comes from other tabs alone
    const hear = ({ key }: StorageEvent) => {
      if (key === KEY) run();
    };
    window.addEventListener("storage", hear);
    return () => window.removeEventListener("storage", hear);
  },
};
