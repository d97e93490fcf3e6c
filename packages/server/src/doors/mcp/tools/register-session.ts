import { z } from 'zod';
import { Scope } from '../../../auth/scopes.js';
import { mapOutcome } from '../../../services/outcome.js';
import { agentId, idempotencyKey, sessionKey } from '../arguments.js';
import { boundedObject } from '../json-argument.js';
import { success } from '../outputs.js';
import { ResultShape } from '../results.js';
import { fitting, jsonBytes } from '../token-room.js';
import { ADDS, defineTool } from '../tool.js';
import { sessionJson } from '../translate.js';
import type { HandoffToolDependencies } from './dependencies.js';
import { bytesFor } from './result-tokens.js';

const input = z.strictObject({
  // In lists it would look like another one. Those that are there already go on.
  sessionKey: sessionKey
    .refine((key) => key === key.trim(), 'may not begin or end with a blank')
    .describe('1 to 255 characters.'),
  agentFrom: agentId.describe('Your own agent id.'),
  metadata: boundedObject('At most 64 KiB.').exactOptional(),
  idempotencyKey: idempotencyKey.exactOptional(),
});

export type RegisterSessionArgs = z.infer<typeof input>;

const output = z.looseObject({
  success,
  message: z.string(),
  session: z.looseObject({
    id: z.string(),
    sessionKey: z.string(),
    agentFrom: z.string(),
    status: z.string(),
    createdAt: z.string(),
    metadata: z.looseObject({}),
  }),
});

export const registerSession = ({ handoffs }: HandoffToolDependencies) =>
  defineTool<RegisterSessionArgs>({
    name: 'registerSession',
    title: 'Register session',
    description:
      'Open a working session under a key of your choice, to log a longer piece of work from its start. handOff opens one by itself.',
    scope: Scope.HANDOFF_WRITE,
    hints: ADDS,
    input,
    // Without a bearer in dev mode, the caller has yet to say who it is.
    knownArguments: {
      agentFrom: ({ principal: { agent, nameFrom } }) =>
        nameFrom === 'nobody' ? undefined : `your own agent id, ${JSON.stringify(agent)}`,
    },
    output,
    result: ResultShape.FIELDS,
    run: async (args, { principal, connection }) =>
      mapOutcome(await handoffs.registerSession(principal, args, connection), (session) => {
        const message = 'Session registered';
        const json = sessionJson(session);
        const frame = { message, session: { ...json, metadata: {}, collaborators: [] } };
        const room = bytesFor('registerSession') - jsonBytes(frame);
        return { message, session: { ...json, collaborators: fitting(session.collaborators, room) } };
      }),
  });
