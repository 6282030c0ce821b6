const KEY = "postrider.login";

/** Other browser tabs, which share the session. */
export const otherTabs = {
  tellLogin: (): void => {
    try {
      localStorage.setItem(KEY, String(Date.now()));
    } catch {
      // full or blocked storage must not prevent a login; the other tabs keep the previous name
    }
  },
  onLogin: (run: () => void): (() => void) => {
    // fires only in other tabs
    const hear = ({ key }: StorageEvent) => {
      if (key === KEY) run();
    };
    window.addEventListener("storage", hear);
    return () => window.removeEventListener("storage", hear);
  },
};
