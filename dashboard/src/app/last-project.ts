const KEY = "postrider.project";

/** Remembers the project that the start page opens. */
export const rememberProject = (projectId: string): void => localStorage.setItem(KEY, projectId);

export const lastProject = (): string | undefined => localStorage.getItem(KEY) ?? undefined;

export const forgetProject = (): void => localStorage.removeItem(KEY);
