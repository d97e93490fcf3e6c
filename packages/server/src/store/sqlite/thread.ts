/**
 * One worker thread as a function: `call` answers what the worker replied, in order.
 *
 * T1. Every call settles: by a reply, or, when the thread ends unasked, by the error that `onDeath` also gets.
 */
import { Worker } from 'node:worker_threads';
import { FaultCode, HandoverError } from '@handover/core';
import { builtFile } from '../../platform/package-root.js';
import {
  type Call,
  READY,
  type Reply,
  type Request,
  type Role,
  revive,
  type WorkerData,
} from './protocol.js';

export interface Thread {
  call(request: Request): Promise<unknown>;
  /** Answers what was asked before, then ends the thread. */
  close(): Promise<void>;
  /** Ends it now. */
  kill(): Promise<void>;
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: HandoverError): void;
}

export async function startThread(
  data: WorkerData,
  onDeath: (error: HandoverError) => void,
): Promise<{ readonly thread: Thread; readonly position: number }> {
  const worker = new Worker(builtFile('store/sqlite/worker.js'), {
    workerData: data,
    name: `handover-${data.role}`,
    // Loaders of the parent (tsx, a test runner) mean nothing to the compiled worker.
    execArgv: [],
  });
  const pending = new Map<number, Pending>();
  let lastId = READY;
  let ended: HandoverError | undefined;

  const expect = (id: number) =>
    new Promise<unknown>((resolve, reject) => pending.set(id, { resolve, reject }));
  const end = (error: HandoverError) => {
    ended ??= error;
    for (const { reject } of pending.values()) reject(ended);
    pending.clear();
  };

  worker.on('message', (reply: Reply) => {
    const waiting = pending.get(reply.id);
    pending.delete(reply.id);
    if ('fault' in reply) waiting?.reject(revive(reply.fault));
    else waiting?.resolve(reply.value);
  });
  const died = (cause: unknown) => {
    if (ended) return;
    end(threadDied(data.role, cause));
    if (ended) onDeath(ended);
  };
  worker.on('error', died);
  const exited = new Promise<void>((resolve) =>
    worker.on('exit', (code) => resolve(died(`exit code ${code}`))),
  );

  const call = (request: Request): Promise<unknown> => {
    if (ended) return Promise.reject(ended);
    const id = ++lastId;
    const message: Call = { id, request };
    worker.postMessage(message, 'packed' in request ? [request.packed.buffer] : []);
    return expect(id);
  };

  async function close(): Promise<void> {
    const closed = call({ verb: 'close' });
    ended = new HandoverError(FaultCode.SHUTTING_DOWN, 'the store is closed', { next: 'retryable' });
    await closed;
    await exited;
  }

  async function kill(): Promise<void> {
    end(new HandoverError(FaultCode.SHUTTING_DOWN, 'the store is closed', { next: 'retryable' }));
    await worker.terminate();
  }

  try {
    return { thread: { call, close, kill }, position: Number(await expect(READY)) };
  } catch (thrown) {
    ended ??= HandoverError.from(thrown);
    await exited;
    throw thrown;
  }
}

function threadDied(role: Role, cause: unknown): HandoverError {
  const options = { next: 'fatal', cause } as const;
  // A writer that dies may have committed.
  return role === 'writer'
    ? new HandoverError(FaultCode.UNKNOWN_OUTCOME, 'the writer thread ended', options)
    : new HandoverError(FaultCode.INTERNAL, 'the reader thread ended', options);
}
