/** Longest time that a timer can hold. */
export const MAX_SECONDS = 2_147_483;
