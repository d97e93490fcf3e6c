/** Loaded into a process (`--import`): of its timers only that of ONLY_TIMER milliseconds ever ends; TIMERS lists all. */
import { appendFileSync } from 'node:fs';

const { ONLY_TIMER, TIMERS } = process.env;
const real = globalThis.setTimeout;
const NEVER = 2 ** 31 - 1;

globalThis.setTimeout = (run, ms, ...rest) => {
  appendFileSync(TIMERS, `${ms}\n`);
  return real(run, ms === Number(ONLY_TIMER) ? ms : NEVER, ...rest);
};
