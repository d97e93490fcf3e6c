import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { agent } from '../../../../../test/kit/principals.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { Listener } from './listener.js';
import { type ListenerLimits, Listeners } from './listeners.js';

function setUp(limits: Partial<ListenerLimits> = {}) {
  const quotaHit = vi.fn();
  const listenerCutOff = vi.fn();
  const cutOffLine = vi.fn();
  const rateLimited = vi.fn();
  const listeners = new Listeners({
    limits: { perPrincipal: 3, inAll: 10, bytesInAll: 8_000, ...limits },
    audit: { quotaHit, listenerCutOff: cutOffLine },
    metrics: { listenerCutOff, rateLimited },
    now: Date.now,
  });
  const cuts: string[] = [];
  const admit = (who: string, tenant = 'default', validUntil?: number): Listener => {
    const principal = agent(who, { tenant, ...(validUntil !== undefined && { validUntil }) });
    const admitted = listeners.admit(principal, ({ code }, abrupt) =>
      cuts.push(`${who}${abrupt ? ', abruptly' : ''}${code === 'STREAM_LAGGED' ? '' : `, ${code}`}`),
    );
    if ('rejection' in admitted) throw new Error(admitted.rejection.message);
    return admitted.value;
  };
  return { listeners, admit, cuts, quotaHit, listenerCutOff, cutOffLine, rateLimited };
}

/** One principal may use this much of the room. */
const SHARE = 8_000 / fixedLimits.listenerShares.value;

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('listeners', () => {
  it('are bounded for a principal, by name and tenant, and give their places back', () => {
    const { listeners, admit, quotaHit, rateLimited } = setUp();
    const [first] = [admit('alice'), admit('alice'), admit('alice')];
    expect(() => admit('alice')).toThrow('HANDOVER_LISTENERS_PER_PRINCIPAL');
    expect(quotaHit).toHaveBeenCalledTimes(1);
    expect(rateLimited.mock.calls).toEqual([['listeners']]);
    admit('alice', 'elsewhere');
    admit('bob');
    first?.leave();
    first?.leave();
    expect(listeners.count).toBe(4);
    admit('alice');
    expect(() => admit('alice')).toThrow('HANDOVER_LISTENERS_PER_PRINCIPAL');
  });

  it('end with the credential that they were opened with, and others go on', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    const { admit, cuts, listenerCutOff } = setUp();
    admit('alice', 'default', Date.now() + 5_000);
    admit('bob');
    admit('carol', 'default', Date.now() + 5_000).leave();
    admit('dan', 'default', Date.now() + 40 * 86_400_000);
    vi.advanceTimersByTime(4_999);
    expect(cuts).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(cuts).toEqual(['alice, CREDENTIAL_EXPIRED']);
    vi.advanceTimersByTime(39 * 86_400_000);
    expect(cuts).toHaveLength(1);
    expect(listenerCutOff).not.toHaveBeenCalled();
    vi.useRealTimers();
  });

  it('are bounded in all', () => {
    const { admit } = setUp({ inAll: 2 });
    admit('a');
    const b = admit('b');
    expect(() => admit('c')).toThrow('HANDOVER_LISTENERS_TOTAL');
    b.leave();
    admit('c');
  });

  it('take up nothing beyond the share of their principal, and others go on', async () => {
    const { listeners, admit } = setUp();
    const [one, two, other] = [admit('alice'), admit('alice'), admit('bob')];
    await one.acquire(SHARE + 1);
    let taken = false;
    const waiting = two.acquire(10).then(() => {
      taken = true;
    });
    await other.acquire(10);
    await settled();
    expect(taken).toBe(false);
    one.release(SHARE);
    await waiting;
    expect(listeners.bytes).toBe(1 + 10 + 10);
  });

  it('take up nothing beyond the room in all; those who waited do not take it together', async () => {
    const { listeners, admit } = setUp({ inAll: 1_000 });
    const hogs = Array.from({ length: 9 }, (_, n) => admit(`hog${n}`));
    for (const hog of hogs) await hog.acquire(SHARE - 10);
    let highest = 0;
    const waiting = Array.from({ length: 50 }, async (_, n) => {
      await admit(`w${n}`).acquire(SHARE);
      highest = Math.max(highest, listeners.bytes);
    });
    await settled();
    expect(highest).toBe(0);
    for (const hog of hogs) hog.leave();
    await settled();
    expect(highest).toBeGreaterThan(0);
    expect(highest).toBeLessThanOrEqual(8_000 + SHARE);
    expect(waiting).toHaveLength(50);
  });

  it('that leave stop waiting, and hold nothing', async () => {
    const { listeners, admit } = setUp();
    const [one, two] = [admit('alice'), admit('alice')];
    await one.acquire(SHARE * 2);
    const waiting = two.acquire(10);
    two.leave();
    await waiting;
    expect(listeners.bytes).toBe(SHARE * 2);
    one.leave();
    one.hold(5);
    expect([listeners.bytes, listeners.count]).toEqual([0, 0]);
  });
});

describe('a listener that takes nothing', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is left alone while nobody waits for what it holds', async () => {
    const { admit, cuts } = setUp();
    await admit('alice').acquire(100_000);
    vi.advanceTimersByTime(600_000);
    expect([cuts, vi.getTimerCount()]).toEqual([[], 0]);
  });

  it('is cut off soon when others wait, and one that takes something is not', async () => {
    const { admit, cuts, listenerCutOff, cutOffLine } = setUp();
    const [stuck, slow, late] = [admit('stuck'), admit('slow'), admit('late')];
    await stuck.acquire(10_000);
    slow.hold(100);
    void late.acquire(10);
    await Promise.resolve();
    vi.advanceTimersByTime(fixedLimits.quietListenerMs.value - 1_000);
    slow.release(1);
    vi.advanceTimersByTime(1_000);
    expect(cuts).toEqual(['stuck, abruptly']);
    expect(listenerCutOff).toHaveBeenCalledTimes(1);
    expect(cutOffLine).toHaveBeenCalledTimes(1);
    stuck.leave();
    await Promise.resolve();
    vi.advanceTimersByTime(1_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is cut off later when only its own principal waits', async () => {
    const { admit, cuts } = setUp();
    const [stuck, waits] = [admit('alice'), admit('alice')];
    await stuck.acquire(SHARE + 1);
    void waits.acquire(10);
    await Promise.resolve();
    vi.advanceTimersByTime(fixedLimits.quietListenerMs.value + 1_000);
    expect(cuts).toEqual([]);
    vi.advanceTimersByTime(fixedLimits.quietListenerOfOwnMs.value);
    expect(cuts[0]).toBe('alice, abruptly');
  });
});
