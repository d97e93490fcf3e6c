import { CloseOutcome } from '@handover/core';
import { z } from 'zod';
import { Scope } from '../../../auth/scopes.js';
import { iso } from '../../../platform/iso.js';
import { mapOutcome } from '../../../services/outcome.js';
import { sayingOf, sessionKey } from '../arguments.js';
import { secretWarningsJson, warned } from '../note-warnings.js';
import { success, timestamp } from '../outputs.js';
import { ResultShape } from '../results.js';
import { defineTool, SETTLES } from '../tool.js';
import type { HandoffToolDependencies } from './dependencies.js';

const input = z.strictObject({
  sessionKey,
  outcome: z.enum([CloseOutcome.Done, CloseOutcome.Abandoned]).describe('Default done.').exactOptional(),
  summary: sayingOf(4_000).exactOptional(),
});

export type CloseSessionArgs = z.infer<typeof input>;

const output = z.looseObject({ success, sessionKey: z.string(), status: z.string(), timestamp });

const INSTRUCTION =
  'Nothing more can be written to it; resume with its sessionKey and accept: true opens it again.';

export const closeSession = ({ handoffs, now }: HandoffToolDependencies) =>
  defineTool<CloseSessionArgs>({
    name: 'closeSession',
    title: 'Close session',
    description: 'Close your working session when the work is finished or dropped.',
    scope: Scope.HANDOFF_WRITE,
    hints: SETTLES,
    input,
    output,
    result: ResultShape.FIELDS,
    run: async ({ outcome = CloseOutcome.Done, ...args }, { principal, connection }) =>
      mapOutcome(
        await handoffs.closeSession(principal, { ...args, outcome }, connection),
        ({ sessionKey: key, status, lastSequence, outcome: ended = outcome }) => ({
          sessionKey: key,
          status,
          outcome: ended,
          lastSequence,
          timestamp: iso(now()),
          instruction: INSTRUCTION,
          ...warned(secretWarningsJson([['summary', args.summary ?? '']])),
        }),
      ),
  });
