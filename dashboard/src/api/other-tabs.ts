const KEY = "postrider.login";

/** The other tabs of the browser, which have the same session. */
export const otherTabs = {
  tellLogin: (): void => {
    try {
      localStorage.setItem(KEY, String(Date.now()));
    } catch {
      // a storage that is full or closed must stop no login; the other tabs keep the former name
    }
  },
  onLogin: (run: () => void): (() => void) => {
    // comes from other tabs alone
    const hear = ({ key }: StorageEvent) => {
      if (key === KEY) run();
    };
    window.addEventListener("storage", hear);
    return () => window.removeEventListener("storage", hear);
  },
};
