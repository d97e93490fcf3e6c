import { describe, expect, it } from 'vitest';
import { createLook } from './loop-guard.js';

function setUp() {
  const lines: unknown[] = [];
  const seconds: number[] = [];
  let time = 0;
  const log = {
    debug() {},
    info() {},
    error() {},
    warn: (event: string, fields = {}) => lines.push([event, fields]),
  };
  const look = createLook({ log, held: (value) => seconds.push(value), now: () => time });
  const after = (ms: number) => {
    time += ms;
    look.look();
  };
  return { lines, seconds, after, entered: look.entered };
}

describe('hardening:H1 the loop guard', () => {
  it('counts a stretch of more than 50 ms and names the route that was entered last', () => {
    const { lines, seconds, after, entered } = setUp();
    entered('grpc send');
    after(10);
    after(60);
    expect(seconds, 'a look that is 50 ms late is not too late').toEqual([]);
    entered('mcp tools/call');
    after(85);
    expect(seconds).toEqual([0.075]);
    expect(lines).toEqual([['loop.held', { ms: 75, lastRoute: 'mcp tools/call', unsaid: 0 }]]);
  });

  it('names no route that was entered long ago', () => {
    const { lines, after, entered } = setUp();
    entered('mcp tools/call');
    for (let count = 0; count < 200; count++) after(10);
    after(85);
    expect(lines).toEqual([['loop.held', { ms: 75, lastRoute: 'none', unsaid: 0 }]]);
  });

  it('counts every stretch, and writes at most one line a second with the number of those left out', () => {
    const { lines, seconds, after, entered } = setUp();
    after(5_000);
    expect(seconds, 'nobody was served yet').toEqual([]);
    entered('grpc send');
    for (let count = 0; count < 5; count++) after(100);
    after(1_000);
    expect(seconds).toHaveLength(6);
    expect(lines).toEqual([
      ['loop.held', { ms: 90, lastRoute: 'grpc send', unsaid: 0 }],
      ['loop.held', { ms: 990, lastRoute: 'grpc send', unsaid: 4 }],
    ]);
  });
});
