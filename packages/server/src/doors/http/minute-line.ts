import { SparseLines } from '../../observe/sparse-lines.js';

const MINUTE_MS = 60_000;

/** At most one line a minute about what a peer can cause at will, with the number of times since the last one. */
export function minuteLine<Facts>(say: (times: number, facts: Facts) => void): (facts: Facts) => void {
  const lines = new SparseLines(MINUTE_MS);
  return (facts) => {
    const unsaid = lines.take();
    if (unsaid !== undefined) say(unsaid + 1, facts);
  };
}
