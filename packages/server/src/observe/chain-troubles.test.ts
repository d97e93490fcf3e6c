/** What is remembered of RPCs is bounded, and kept apart by chain. */
import { describe, expect, it } from 'vitest';
import { ChainTroubles } from './chain-troubles.js';
import { silentLog } from './log.js';

function remembering(most: number) {
  const clock = { now: 1_000 };
  const lines: string[] = [];
  const log = {
    ...silentLog,
    warn: (event: string) => lines.push(event),
    info: (event: string) => lines.push(event),
  };
  return { clock, lines, troubles: new ChainTroubles(log, () => clock.now, most) };
}

describe('review:Y5 what RPCs answered last', () => {
  it('review:Y5 agents who name chains at will do not fill the memory', () => {
    const { troubles } = remembering(3);
    for (let chainId = 1; chainId <= 10; chainId++) troubles.failed(chainId, false);
    expect(troubles.all().map(({ chainId }) => chainId)).toEqual([8, 9, 10]);
  });

  it('review:Y5 a trouble keeps its beginning, until it is another or has ended', () => {
    const { clock, lines, troubles } = remembering(3);
    troubles.failed(1, false);
    clock.now = 2_000;
    troubles.failed(1, false);
    expect(troubles.of(1)).toMatchObject({ code: 'RPC_UNAVAILABLE', since: 1_000 });
    troubles.failed(1, true);
    expect(troubles.of(1)).toMatchObject({ code: 'RPC_WRONG_CHAIN', since: 2_000 });
    troubles.answered(1);
    troubles.answered(1);
    expect(troubles.of(1)).toBeUndefined();
    expect(lines).toEqual(['operations.chain_trouble', 'operations.chain_answers']);
  });

  it('review:Y5 a chain is due once a minute, and not while something was heard', () => {
    const { clock, troubles } = remembering(3);
    expect([troubles.isDue(1), troubles.isDue(1), troubles.isDue(2)]).toEqual([true, false, true]);
    clock.now += 59_000;
    troubles.answered(1);
    clock.now += 2_000;
    expect([troubles.isDue(1), troubles.isDue(2)]).toEqual([false, true]);
  });
});
