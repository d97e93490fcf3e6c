/** A worker that does to itself what it is asked to: for tests of what happens to its owner. */
import { readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { parentPort } from 'node:worker_threads';

/** Says its number as our own workers do, so that its work is counted. */
const number = () => parentPort.postMessage({ thread: Number(basename(readlinkSync('/proc/thread-self'))) });
const nothing = new Int32Array(new SharedArrayBuffer(4));

const ACTS = {
  number: ({ value }) => {
    number();
    parentPort.postMessage({ value });
  },
  wait: ({ ms, value }) => {
    Atomics.wait(nothing, 0, 0, ms);
    parentPort.postMessage({ value });
  },
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
