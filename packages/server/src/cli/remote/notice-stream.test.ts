import { getEventListeners } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { followNotices } from './notice-stream.js';
import type { Requests } from './requests.js';

it('assistants:6.7 a server that has no room for the stream is asked seldom, and nothing is left of each time', async () => {
  const after = ['0', '0', '7', undefined];
  const { signal } = new AbortController();
  const answers = after.map((seconds) => ({
    statusCode: 429,
    headers: { 'retry-after': seconds },
    resume() {},
  }));
  const last = { statusCode: 405, headers: {}, resume() {} };
  let asked = 0;
  const requests = {
    ask: () => {
      const answer = answers[asked++] ?? last;
      return {
        sent: Promise.resolve(),
        answer: Promise.resolve(answer as unknown as IncomingMessage),
        cancel() {},
      };
    },
  };
  const pauses: (readonly [ms: number, left: number])[] = [];
  const pause = async (ms: number) => void pauses.push([ms, getEventListeners(signal, 'abort').length]);
  const options = {
    requests: requests as unknown as Requests,
    signal,
    pause,
    now: () => 0,
    line: () => undefined,
  };
  await followNotices(options, {}, new Set());
  expect(pauses).toEqual([
    [1_000, 0],
    [1_000, 0],
    [7_000, 0],
    [15_000, 0],
  ]);
});
