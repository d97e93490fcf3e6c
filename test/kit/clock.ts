/** The time at which a test begins by default. */
export const T0 = 1_700_000_000_000;

/** A clock that only the test moves. */
export interface TestClock {
  now: number;
}

export const createClock = (now = T0): TestClock => ({ now });
