import { expect, it } from 'vitest';
import { createRequestId, traceIdOf } from './request-id.js';

it('request ids sort by time and do not repeat', () => {
  const [early, late] = [createRequestId(1_700_000_000_000), createRequestId(1_700_000_000_001)];
  expect(early).toMatch(/^01HF7YAT00[0-9A-HJKMNP-TV-Z]{16}$/);
  expect(early < late).toBe(true);
  expect(new Set(Array.from({ length: 1_000 }, () => createRequestId(0))).size).toBe(1_000);
});

it('a trace is taken from a well-formed traceparent only', () => {
  const trace = '0af7651916cd43dd8448eb211c80319c';
  expect(traceIdOf(`00-${trace}-b7ad6b7169203331-01`)).toBe(trace);
  for (const wrong of [undefined, 7, '', `00-${trace}`, `00-${trace.toUpperCase()}-b7ad6b7169203331-01`])
    expect(traceIdOf(wrong)).toBeUndefined();
});
