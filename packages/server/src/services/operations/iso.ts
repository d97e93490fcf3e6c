export const iso = (at: number): string => new Date(at).toISOString();
