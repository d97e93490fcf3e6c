/** Family 3: starting XDaLa sessions. */
import { Family, type JsonObject } from '@handover/core';
import { z } from 'zod';
import { Scope } from '../../../../auth/scopes.js';
import type { SessionStartArguments } from '../../../../services/operations/families/session-start/create.js';
import type { Operations } from '../../../../services/operations/operations.js';
import { operationKey } from '../../arguments.js';
import { freeObject } from '../../json-argument.js';
import { ADDS, type Tool } from '../../tool.js';
import { chainId, operationTool, replaces, text, ttlSeconds } from './define.js';
import {
  INSPECT_FIRST,
  NO_GUESSES,
  NO_KEYS,
  OWNERSHIP,
  SESSION_PATH,
  SHOW_URL,
  TERMINOLOGY,
  URL_ONCE,
  WARNINGS,
} from './guidance.js';
import { handleTools } from './handle-tools.js';
import { reviewRounds } from './review.js';

const whole = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const createInput = z.strictObject({
  source: z
    .enum(['runtime', 'bundle_deploy_result', 'direct'])
    .describe(
      'runtime: a deployed XRC-729. bundle_deploy_result: what a bundle deploy made. direct: a whole request.',
    ),
  network: text('Name of the network as people know it.'),
  chainId: chainId
    .describe('The chain that the server reads; needed for direct where it reads none.')
    .exactOptional(),
  orchestration: text('runtime: address of the XRC-729 contract.').exactOptional(),
  ostcId: text('runtime: id of the orchestration in it.').exactOptional(),
  ostcHash: text('Pins a version, if 32 bytes.').exactOptional(),
  bundleDeployHandle: text('The bd_ handle of a deployed bundle.').exactOptional(),
  request: freeObject('direct: an xgr-session-start@1 request without handle.').exactOptional(),
  sessions: z
    .array(
      z.strictObject({
        __uid: z.string().max(256).exactOptional(),
        stepId: text('Where the session begins.').exactOptional(),
        payload: freeObject('The start payload.').exactOptional(),
        maxTotalGas: whole.exactOptional(),
        expiry: whole.min(1).exactOptional(),
        starterAddress: text('The intended starter.').exactOptional(),
      }),
    )
    .max(100)
    .describe('One hint per session; all share one orchestration.')
    .exactOptional(),
  stepId: text('For sessions that name none.').exactOptional(),
  payload: freeObject('For sessions that name none.').exactOptional(),
  maxTotalGas: whole.describe('0: no cap.').exactOptional(),
  expiry: whole.min(1).describe('Unix seconds.').exactOptional(),
  signing: freeObject('Over the defaults.').exactOptional(),
  executorGrants: freeObject('Over the defaults.').exactOptional(),
  execution: freeObject('Over the defaults.').exactOptional(),
  ui: freeObject('Over the defaults.').exactOptional(),
  security: freeObject('Over the defaults.').exactOptional(),
  summary: freeObject('What the person should read first.').exactOptional(),
  expectedSigner: text('Address that must sign.').exactOptional(),
  walletAddress: text('The same, when expectedSigner is not given.').exactOptional(),
  ttlSeconds: ttlSeconds.exactOptional(),
  idempotencyKey: operationKey.exactOptional(),
  replaces: replaces.exactOptional(),
});
type CreateArgs = z.infer<typeof createInput>;

export function sessionTools({ service }: Operations): readonly Tool[] {
  return [
    operationTool<CreateArgs>({
      name: 'create_xdala_session_start_handoff',
      title: 'Hand a session start to the user',
      description: `Prepare a canonical xgr-session-start@1 request and return a Session Start URL. ${SESSION_PATH} ${TERMINOLOGY} ${INSPECT_FIRST} ${NO_GUESSES} ${SHOW_URL} ${URL_ONCE} ${WARNINGS} ${OWNERSHIP} ${NO_KEYS}`,
      scope: Scope.OPERATION_CREATE,
      hints: { ...ADDS, openWorldHint: true },
      input: createInput,
      review: reviewRounds(service, 'create_xdala_session_start_handoff'),
      run: ({ sessions, ...args }, { principal }) => {
        const hints = sessions && { sessions: sessions as unknown as readonly JsonObject[] };
        return service.createSessionStart(principal, { ...args, ...hints } as SessionStartArguments);
      },
    }),
    ...handleTools(service, Family.SessionStart, {
      handle: 'The ss_ handle.',
      look: {
        name: 'get_xdala_session_start_handoff',
        title: 'Look at a session start',
        description: `The canonical request, authority, sessionOwnership, validation and any result of a session start of yours. Secret values read [redacted]. ${OWNERSHIP}`,
      },
      result: {
        name: 'get_xdala_session_start_result',
        title: 'Result of a session start',
        description: `What came of a session start of yours: status, resultSummary, sessionOwnership, events. ${OWNERSHIP}`,
      },
      cancel: {
        name: 'cancel_xdala_session_start_handoff',
        title: 'Cancel a session start',
        description:
          'Take a session start back before anything was started. It never undoes what was signed or started; of one that is over it changes nothing.',
      },
    }),
  ];
}
