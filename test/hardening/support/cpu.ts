/** CPU time as tests may use it: in proportion to itself, never in seconds of a clock. */

/** What is quicker than this is measured badly, and holds nobody. */
const FREE_MICROS = 15_000;
const TRIES = 3;

function microsOf(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** The least of a few tries: others use the machine, too. */
function leastMicros(run: () => unknown, enough: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && least > enough; tries++) least = Math.min(least, microsOf(run));
  return least;
}

/** How many times the CPU of `half` `whole` costs; nothing, if that is too little to be measured. */
export function timesAsDear(half: () => unknown, whole: () => unknown): number {
  const dear = leastMicros(whole, FREE_MICROS);
  if (dear <= FREE_MICROS) return 0;
  return (dear - FREE_MICROS) / leastMicros(half, 0);
}
