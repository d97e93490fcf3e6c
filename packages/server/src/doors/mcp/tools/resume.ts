import { type JsonObject, RejectionCode, rejectWith } from '@handover/core';
import { z } from 'zod';
import { Scope } from '../../../auth/scopes.js';
import type { Shown } from '../../../services/handoffs/resume/types.js';
import { handoffId, sayingOf, sessionKey } from '../arguments.js';
import { success } from '../outputs.js';
import { ResultShape } from '../results.js';
import { bytesOfTokens, jsonBytes } from '../token-room.js';
import { defineTool, SETTLES } from '../tool.js';
import { whileWaiting } from '../while-waiting.js';
import { askTake } from './ask-take.js';
import type { HandoffToolDependencies } from './dependencies.js';
import { project } from './list-sessions.js';
import { resultOf, SURE_TOKENS, tooFewTokens } from './resume/result.js';
import { MAX_WAIT_MS } from './wait-arguments.js';

const input = z
  .strictObject({
    accept: z.boolean().describe('It becomes yours.').exactOptional(),
    take: z.boolean().describe('Also what its owner left without a word.').exactOptional(),
    sessionKey: sessionKey.exactOptional(),
    handoffId: handoffId.exactOptional(),
    project: project.describe('Default: this project; * is all.').exactOptional(),
    reason: sayingOf(4_096).exactOptional(),
    maxTokens: z.int().min(1_000).max(20_000).describe('Default 6000.').exactOptional(),
    waitMs: z.int().min(0).max(MAX_WAIT_MS).describe('Wait, if nothing is there.').exactOptional(),
  })
  .superRefine((args, context) => {
    if (args.sessionKey !== undefined && args.handoffId !== undefined)
      context.addIssue({
        code: 'custom',
        path: ['handoffId'],
        message: 'give either sessionKey or handoffId',
      });
  });

export type ResumeToolArgs = z.infer<typeof input>;

const output = z.looseObject({ success, kind: z.string(), yours: z.boolean() });

const DEFAULT_TOKENS = 6_000;

export const resume = ({ handoffs }: HandoffToolDependencies) =>
  defineTool<ResumeToolArgs>({
    name: 'resume',
    title: 'Resume',
    description:
      'Continue work: call this first in a new conversation, or when the user says resume, continue, pick up or take over. Returns the newest thing for you in this project (work offered to you, your own earlier session, or work another assistant left) as a brief, what was added since, and attachments. With accept: true it becomes yours.',
    scope: Scope.HANDOFF_READ,
    hints: SETTLES,
    input,
    output,
    waits: ({ waitMs }) => typeof waitMs === 'number' && waitMs > 0,
    mayAsk: true,
    result: ResultShape.FIELDS,
    run: async (given, { principal, connection, signal, progress, requestKey, ask }) => {
      const { accept = false, take = false, maxTokens = DEFAULT_TOKENS, waitMs = 0, ...args } = given;
      if ((accept || take) && !principal.scopes.has(Scope.HANDOFF_ACCEPT))
        return {
          rejection: rejectWith(RejectionCode.FORBIDDEN, 'accept and take need the scope handoff:accept', {
            requiredScope: Scope.HANDOFF_ACCEPT,
          }),
        };
      const { head, project: here, transport } = connection;
      const of = { agent: principal.agent, maxTokens, head, project: here, isLocal: transport === 'stdio' };
      const asked = {
        ...{ ...args, accept, take },
        ...(waitMs > 0 && { wait: { ms: waitMs, signal } }),
        ...(requestKey !== undefined && { requestKey }),
        ...(ask && { permit: askTake(ask) }),
        ...(maxTokens < SURE_TOKENS && { admit: (seen: Shown) => tooFewTokens(seen, of) }),
      };
      const outcome = await whileWaiting(progress, () => handoffs.resume(principal, asked, connection));
      if ('rejection' in outcome) return outcome;
      const laid = await resultOf(outcome.value, of);
      if ('rejection' in laid) return laid;
      const again =
        outcome.value.kind === 'nothing' && waitMs > 0 ? sameCall(given, laid.value, maxTokens) : {};
      return { ...outcome, value: { ...laid.value, ...again } };
    },
  });

/** To go on waiting. A reason that has no room is left out. */
function sameCall(given: ResumeToolArgs, value: JsonObject, maxTokens: number): JsonObject {
  const next = { tool: 'resume', arguments: given };
  const fits = jsonBytes({ success: true, ...value, next }) <= bytesOfTokens(maxTokens);
  const { reason: _, ...rest } = given;
  return { next: fits ? next : { tool: 'resume', arguments: rest } };
}
