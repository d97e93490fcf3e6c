import { setTimeout as later } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { MacpTransportError } from '../errors.js';
import { Bell } from '../worker/bell.js';
import { Gate } from '../worker/gate.js';
import { Backoff, pause } from './backoff.js';
import { Line } from './line.js';

/** As a runtime asks that wants to be left alone for years: more than a timer can wait. */
const YEARS_MS = 1e12;

it('a wait of years is a wait, and ends with its signal', async () => {
  const stop = new AbortController();
  const { signal } = stop;
  const gate = new Gate();
  gate.failed(new MacpTransportError('busy', 'UNAVAILABLE', { retryAfterMs: YEARS_MS }));
  const line = new Line();
  line.refused(YEARS_MS);
  const place = await line.enter(signal);
  const waits = [
    pause(YEARS_MS, signal),
    new Backoff().wait(signal, YEARS_MS),
    new Bell().wait(signal, YEARS_MS),
    gate.pass(signal),
    place?.ready(signal),
  ];
  let over = 0;
  for (const wait of waits) void wait?.then(() => over++);
  const warnings: string[] = [];
  const warned = ({ name }: Error) => warnings.push(name);
  process.on('warning', warned);
  await later(50);
  process.off('warning', warned);
  expect([over, warnings]).toEqual([0, []]);
  stop.abort();
  await Promise.all(waits);
});
