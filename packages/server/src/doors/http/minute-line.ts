/** At most one line a minute about what a peer can cause at will, with the number of times since the last one. */
const PAUSE_MS = 60_000;

export function minuteLine<Facts>(say: (times: number, facts: Facts) => void): (facts: Facts) => void {
  let notBefore = 0;
  let times = 0;
  return (facts) => {
    times += 1;
    if (performance.now() < notBefore) return;
    say(times, facts);
    notBefore = performance.now() + PAUSE_MS;
    times = 0;
  };
}
