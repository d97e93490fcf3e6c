import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../observe/log.js';
import { createShutdown } from './shutdown.js';

function setUp(drainMs = 1_000, graceMs = 50) {
  const signals = new EventEmitter();
  const exits: number[] = [];
  const closed: string[] = [];
  let exited = () => {};
  const end = new Promise<void>((resolve) => {
    exited = resolve;
  });
  const exit = (code: number) => {
    exits.push(code);
    exited();
  };
  const shutdown = createShutdown({ drainMs, graceMs, log: silentLog, exit, signals });
  return { shutdown, signals, exits, closed, end };
}

const until = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

describe('shutdown', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'])(
    '%s closes in reverse order, one after another, and exits 0',
    async (signal) => {
      const { shutdown, signals, exits, closed, end } = setUp();
      shutdown.install();
      shutdown.add('store', () => void closed.push('store'));
      shutdown.add('engine', async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        closed.push('engine');
      });
      shutdown.add('door', () => void closed.push('door'));
      signals.emit(signal);
      await end;
      expect(closed).toEqual(['door', 'engine', 'store']);
      expect(exits).toEqual([0]);
    },
  );

  it('cuts clients off at the end of the drain time and still closes the store; exit 0', async () => {
    const { shutdown, signals, exits, closed, end } = setUp(20);
    shutdown.install();
    shutdown.add('store', () => void closed.push('store'));
    shutdown.add('door', async (deadline) => {
      await until(deadline);
      closed.push('cut off');
    });
    signals.emit('SIGTERM');
    await end;
    expect(closed).toEqual(['cut off', 'store']);
    expect(exits).toEqual([0]);
  });

  it('does not wait for ever for what does not close', async () => {
    const { shutdown, signals, exits, closed, end } = setUp(10, 30);
    shutdown.install();
    shutdown.add('store', () => void closed.push('store'));
    shutdown.add('door', () => new Promise(() => {}));
    signals.emit('SIGTERM');
    await end;
    expect(exits).toEqual([0]);
    expect(closed).toEqual(['store']);
  });

  it('goes on when something fails to close, and says so by the exit code', async () => {
    const { shutdown, closed } = setUp();
    shutdown.add('store', () => void closed.push('store'));
    shutdown.add('engine', () => Promise.reject(new Error('x')));
    shutdown.add('door', () => {
      throw new Error('y');
    });
    expect(await shutdown.run('test')).toBe(1);
    expect(closed).toEqual(['store']);
  });

  it('a second signal ends at once', async () => {
    const { shutdown, signals, exits } = setUp();
    shutdown.install();
    shutdown.add('door', () => new Promise(() => {}));
    signals.emit('SIGINT');
    expect(exits).toEqual([]);
    signals.emit('SIGINT');
    expect(exits).toEqual([130]);
  });

  it('runs once, however often it is asked, and can stop listening', async () => {
    const { shutdown, signals, exits, closed } = setUp();
    const remove = shutdown.install();
    shutdown.add('door', () => void closed.push('door'));
    expect(await Promise.all([shutdown.run('a'), shutdown.run('b')])).toEqual([0, 0]);
    remove();
    signals.emit('SIGINT');
    expect(closed).toEqual(['door']);
    expect(exits).toEqual([]);
  });
});
