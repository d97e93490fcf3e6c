import { expect } from 'vitest';

/** Asks until it is so. Patient, since two cores are shared by everything that is tested at once. */
export const until = <T>(check: () => T) => expect.poll(check, { timeout: 20_000, interval: 10 });
