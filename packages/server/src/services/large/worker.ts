/** The entry of the thread for large documents: one job after another. */
import { parentPort } from 'node:worker_threads';
import type { JobReply, ThreadNumber } from '../../platform/jobs/job-thread.js';
import { stepBack } from '../../platform/jobs/step-back.js';
import { ownThread } from '../../platform/jobs/thread-time.js';
import type { JobMessage, JobName } from './job-types.js';
import { JOBS } from './jobs.js';

function answer<N extends JobName>({ name, input }: JobMessage<N>): JobReply {
  try {
    return { value: (JOBS[name] as (input: JobMessage<N>['input']) => unknown)(input) };
  } catch (thrown) {
    return { thrown: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) };
  }
}

const LEVELS = 2;

/** Bytes in the answer, or not far below, are handed over where they have a buffer of their own. */
function bytesIn(value: unknown, levels = LEVELS): ArrayBuffer[] {
  if (value instanceof Uint8Array)
    return value.byteLength === value.buffer.byteLength ? [value.buffer as ArrayBuffer] : [];
  if (levels === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.values(value).flatMap((member) => bytesIn(member, levels - 1));
}

stepBack();
const thread = ownThread();
if (thread !== undefined) parentPort?.postMessage({ thread } satisfies ThreadNumber);
parentPort?.on('message', (message: JobMessage) => {
  const reply = answer(message);
  const value = 'value' in reply ? reply.value : undefined;
  parentPort?.postMessage(reply, bytesIn(value));
});
