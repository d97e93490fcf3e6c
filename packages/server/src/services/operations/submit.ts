/** Submits a command to one record, and passes the stored entries on to those who keep its events. */
import type { OperationCommand } from '@handover/core';
import type { Answer } from '@handover/engine';
import type { OperationDependencies } from './dependencies.js';
import type { OperationRecord } from './record.js';

/** The size that counts for an entry without its document. */
const FACTS_BYTES = 512;

export async function submitTo(
  { engine, documents }: Pick<OperationDependencies, 'engine' | 'documents'>,
  record: OperationRecord,
  agent: string,
  command: OperationCommand,
): Promise<Answer> {
  const bytes = FACTS_BYTES + ('payload' in command ? command.payload.length : 0);
  const answer = await engine.submit({ agent, steps: [{ stream: record.ref, command }], bytes });
  if (answer.ok) for (const { entries } of answer.results) documents.stored(record, entries);
  return answer;
}
