import { z } from 'zod';
import { Scope } from '../../../auth/scopes.js';
import { attachmentName, content, handoffId, idempotencyKey, mediaType } from '../arguments.js';
import { handoffResult } from '../outputs.js';
import { ResultShape } from '../results.js';
import { defineTool, SETTLES } from '../tool.js';
import type { HandoffToolDependencies } from './dependencies.js';
import { handoffAnswer } from './handoff-result.js';
import { bytesFor } from './result-tokens.js';

const input = z.strictObject({
  handoffId,
  contentType: mediaType.describe('Media type of the content, such as text/markdown.'),
  content: content.describe('The content; text, or base64 when encoding says so.'),
  name: attachmentName
    .describe('What it is called, such as a file name; the target sees it.')
    .exactOptional(),
  encoding: z.enum(['utf8', 'base64']).describe('How content is written; utf8 by default.').exactOptional(),
  idempotencyKey: idempotencyKey.exactOptional(),
});

export type SendHandoffContextArgs = z.infer<typeof input>;

export const sendHandoffContext = ({ handoffs, now }: HandoffToolDependencies) =>
  defineTool<SendHandoffContextArgs>({
    name: 'sendHandoffContext',
    title: 'Send handoff context',
    description:
      'Add material to an offer you have made, for the target to read: a diff, a log, an explanation. What arrives after the target has answered is kept, but marked as late.',
    scope: Scope.HANDOFF_OFFER,
    hints: SETTLES,
    input,
    output: handoffResult,
    result: ResultShape.FIELDS,
    run: async (args, { principal }) =>
      handoffAnswer(await handoffs.sendHandoffContext(principal, args), now, bytesFor('sendHandoffContext')),
  });
