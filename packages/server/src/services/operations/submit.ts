/** Submits a command to one record, and passes the stored entries on to those who keep its events. */
import type { OperationCommand, Step } from '@handover/core';
import type { Answer } from '@handover/engine';
import type { OperationDependencies } from './dependencies.js';
import type { OperationRecord } from './record.js';

/** The size that counts for an entry without its document. */
const FACTS_BYTES = 512;

export function submitTo(
  deps: Pick<OperationDependencies, 'engine' | 'documents'>,
  record: OperationRecord,
  agent: string,
  command: OperationCommand,
): Promise<Answer> {
  return submitAll(deps, record, agent, [command]);
}

/** Commands of a record and the taking of carriers: all, or none. */
export async function submitWith(
  { engine, documents }: Pick<OperationDependencies, 'engine' | 'documents'>,
  record: OperationRecord,
  agent: string,
  commands: readonly OperationCommand[],
  takes: readonly Step<'carrier'>[],
): Promise<Answer> {
  const own = commands.map((command) => ({ stream: record.ref, command }));
  const steps = [...takes, ...own];
  const answer = await engine.submit({ agent, steps, bytes: FACTS_BYTES * steps.length });
  if (answer.ok)
    for (const { entries } of answer.results.slice(takes.length)) documents.stored(record, entries);
  return answer;
}

/** All of them, or none. */
export async function submitAll(
  { engine, documents }: Pick<OperationDependencies, 'engine' | 'documents'>,
  record: OperationRecord,
  agent: string,
  commands: readonly OperationCommand[],
): Promise<Answer> {
  const sizes = commands.map((one) => FACTS_BYTES + ('payload' in one ? one.payload.length : 0));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const steps = commands.map((command) => ({ stream: record.ref, command }));
  const answer = await engine.submit({ agent, steps, bytes });
  if (answer.ok) for (const { entries } of answer.results) documents.stored(record, entries);
  return answer;
}
