/**
 * Ends this process when one of its steps takes too long. It watches from a thread of its own: where a step stands still,
 * for example at a file on a disk that does not answer, no timer of the main thread fires.
 */
import { Worker } from 'node:worker_threads';

const WATCH = `
const { workerData: { steps, stepMs } } = require('node:worker_threads');
let seen = Atomics.load(steps, 0);
while (Atomics.wait(steps, 0, seen, stepMs) !== 'timed-out') seen = Atomics.load(steps, 0);
process.kill(process.pid, 'SIGKILL');
`;

/** To be called at the beginning of each step. */
export type NextStep = () => void;

/** It watches for as long as the process lives, and does not keep it alive. */
export function watchSteps(stepMs: number): NextStep {
  const steps = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  // Options of this process may say how such a text is to be run.
  const watch = new Worker(WATCH, { eval: true, execArgv: [], workerData: { steps, stepMs } });
  // Without it, everything goes on as well.
  watch.on('error', () => undefined);
  watch.unref();
  return () => {
    Atomics.add(steps, 0, 1);
    Atomics.notify(steps, 0);
  };
}
