import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { Listener } from '../../services/listening/listener.js';
import { laggedStatus } from './errors.js';
import { Outgoing, type OutgoingCall } from './outgoing.js';

/** A call whose client reads when the test says so. */
function setUp() {
  const taken: (() => void)[] = [];
  const stream = { destroyed: false, close: vi.fn(), destroy: vi.fn(), session: undefined };
  const call = Object.assign(new EventEmitter(), {
    writableNeedDrain: false,
    call: { stream },
    write: (_: Uint8Array, done: () => void) => taken.push(done),
    end: vi.fn(),
  });
  call.on('error', () => {});
  const listener = {
    bytes: 0,
    hold: (bytes: number) => {
      listener.bytes += bytes;
    },
    release: (bytes: number) => {
      listener.bytes -= bytes;
    },
    acquire: async () => {},
    cut: () => {},
    behind: () => {},
    leave: vi.fn(),
  };
  const out = new Outgoing(call as unknown as OutgoingCall);
  out.countFor(listener satisfies Listener);
  return { out, call, stream, listener, taken };
}

const FRAME = new Uint8Array(fixedLimits.grpcWaitingBytesPerCall.value + 1);
const LAGGED = laggedStatus(7);

describe('the writing side of a call', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('counts what waits, and makes writers wait while it is too much', async () => {
    const { out, listener, taken } = setUp();
    expect(out.ready()).toBeUndefined();
    out.write(FRAME);
    expect(listener.bytes).toBe(FRAME.length);
    const wait = out.ready();
    expect(wait).toBeDefined();
    taken.shift()?.();
    await wait;
    expect(listener.bytes).toBe(0);
  });

  it('resets a call whose client does not read its end in time', () => {
    const { out, stream } = setUp();
    out.write(FRAME);
    out.end(LAGGED);
    vi.advanceTimersByTime(fixedLimits.lingeringCallMs.value - 1);
    expect(stream.destroy).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(stream.destroy).toHaveBeenCalledTimes(1);
  });

  it('leaves a call alone whose client has read its end', () => {
    const { out, call, stream, listener } = setUp();
    out.end(LAGGED);
    call.emit('cancelled');
    expect(listener.leave).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(fixedLimits.lingeringCallMs.value * 2);
    expect(stream.destroy).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('keeps the place of a call that is gone until its connection is, when it held bytes', async () => {
    const { out, call, listener } = setUp();
    out.write(FRAME);
    call.emit('cancelled');
    expect(listener.leave).not.toHaveBeenCalled();
    // There is no connection any more.
    await vi.advanceTimersByTimeAsync(0);
    expect(listener.leave).toHaveBeenCalledTimes(1);
  });

  it('gives the place of a call back at once that was gone before it was known who calls', () => {
    const { call } = setUp();
    const late = new Outgoing(call as unknown as OutgoingCall);
    call.emit('cancelled');
    const leave = vi.fn();
    late.countFor({ leave } as unknown as Listener);
    expect(leave).toHaveBeenCalledTimes(1);
  });
});
