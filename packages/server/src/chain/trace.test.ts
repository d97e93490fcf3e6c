import { describe, expect, it } from 'vitest';
import type { Ask } from './chain-client.js';
import { ChainErrored, ChainRefused, ChainSilent, ChainTooLarge, type Hex } from './port.js';
import { traceSupport } from './trace.js';

const HASH: Hex = `0x${'ab'.repeat(32)}`;
const FRAME = {
  type: 'CALL',
  from: `0x${'11'.repeat(20)}`,
  to: `0x${'22'.repeat(20)}`,
  input: '0x',
  value: '0x1',
};

function rpc(answer: () => unknown) {
  let times = 0;
  let now = 0;
  const support = traceSupport(() => now);
  const ask: Ask = async () => {
    times += 1;
    return answer();
  };
  return {
    trace: () => support.trace(ask, HASH),
    probe: () => support.probe(ask),
    times: () => times,
    wait: (ms: number) => {
      now += ms;
    },
  };
}
const fails = (failure: Error) => () => {
  throw failure;
};

describe('an RPC that is asked for traces', () => {
  it.each([
    ['-32601', new ChainRefused('no such method')],
    ['-32600', new ChainErrored('invalid request', -32_600)],
    ['-32004', new ChainErrored('not supported', -32_004)],
  ])('review:V7 and refuses with %s is left alone for ten minutes', async (_code, failure) => {
    const { trace, probe, times, wait } = rpc(fails(failure));
    for (let i = 0; i < 3; i++) expect(await trace()).toBeUndefined();
    expect(await probe()).toBe(false);
    expect(times()).toBe(1);
    wait(600_000);
    await trace();
    expect(times()).toBe(2);
  });

  it.each([
    ['too large', new ChainTooLarge('more than it may')],
    ['not to be had', new ChainErrored('historical state is gone', -32_000)],
  ])('review:V7 one trace that is %s says nothing about others', async (_what, failure) => {
    const { trace, times } = rpc(fails(failure));
    expect(await trace()).toBeUndefined();
    expect(await trace()).toBeUndefined();
    expect(times()).toBe(2);
  });

  it('silence is no answer', async () => {
    const { trace, probe } = rpc(fails(new ChainSilent('no answer')));
    await expect(trace()).rejects.toThrow('no answer');
    expect(await probe()).toBeUndefined();
  });

  it('review:V7 one that knows the method is asked for it once in ten minutes', async () => {
    const { probe, times } = rpc(fails(new ChainErrored('transaction not found', -32_000)));
    expect(await probe()).toBe(true);
    expect(await probe()).toBe(true);
    expect(times()).toBe(1);
  });

  it('reads frames below frames, and what failed', async () => {
    const { trace } = rpc(() => ({ ...FRAME, calls: [{ ...FRAME, error: 'execution reverted' }] }));
    expect(await trace()).toMatchObject({ value: 1n, failed: false, calls: [{ failed: true, calls: [] }] });
  });

  it('an answer of another form is none', async () => {
    const { trace } = rpc(() => ({ type: 7 }));
    await expect(trace()).rejects.toThrow('malformed');
  });
});
