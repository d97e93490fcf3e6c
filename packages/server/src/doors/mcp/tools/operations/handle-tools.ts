/** The three tools that name a record by its handle: look, result, cancel. Families differ only in the words. */
import type { Family } from '@handover/core';
import { z } from 'zod';
import { Scope } from '../../../../auth/scopes.js';
import type { Operations } from '../../../../services/operations/operations.js';
import { ENDS, READS, type Tool } from '../../tool.js';
import { operationTool, text } from './define.js';
import { CANCEL_WAITS, EFFECT_NONE } from './guidance.js';

export interface ToolWords {
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

export interface HandleWords {
  readonly handle: string;
  readonly look: ToolWords;
  readonly result: ToolWords;
  readonly cancel: ToolWords;
}

export function handleTools(
  service: Operations['service'],
  family: Family,
  words: HandleWords,
): readonly Tool[] {
  const input = z.strictObject({ handle: text(words.handle) });
  type Args = z.infer<typeof input>;
  const reads = { scope: Scope.HANDOFF_READ, hints: READS, input };
  return [
    operationTool<Args>({
      ...words.look,
      description: `${words.look.description} ${EFFECT_NONE}`,
      ...reads,
      run: ({ handle }, { principal }) => service.get(principal, family, handle),
    }),
    operationTool<Args>({
      ...words.result,
      description: `${words.result.description} ${EFFECT_NONE}`,
      ...reads,
      run: ({ handle }, { principal }) => service.getResult(principal, family, handle),
    }),
    operationTool<Args>({
      ...words.cancel,
      description: `${words.cancel.description} ${CANCEL_WAITS} ${EFFECT_NONE}`,
      scope: Scope.OPERATION_CREATE,
      unlimited: true,
      hints: ENDS,
      input,
      run: ({ handle }, { principal }) => service.cancel(principal, family, handle),
    }),
  ];
}
