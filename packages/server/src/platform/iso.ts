/** A time as every door writes it: ISO 8601, UTC. */
export const iso = (at: number): string => new Date(at).toISOString();
