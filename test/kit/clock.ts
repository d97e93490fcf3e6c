/** When time begins in a test that does not say otherwise. */
export const T0 = 1_700_000_000_000;

/** A clock that only the test moves. */
export interface TestClock {
  now: number;
}

export const createClock = (now = T0): TestClock => ({ now });
