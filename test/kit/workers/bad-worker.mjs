/** A worker that does to itself what it is asked to: for tests of what happens to its owner. */
import { parentPort } from 'node:worker_threads';

const ACTS = {
  echo: ({ value }) => parentPort.postMessage({ value }),
  throw: () => parentPort.postMessage({ thrown: 'asked to' }),
  exit: () => process.exit(3),
  crash: () => {
    throw new Error('asked to');
  },
  spin: () => {
    for (;;);
  },
  eat: () => {
    const eaten = [];
    for (;;) eaten.push(new Array(100_000).fill(eaten.length));
  },
};

parentPort.on('message', (message) => ACTS[message.act](message));
