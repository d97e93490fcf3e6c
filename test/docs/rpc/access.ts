/** Who may make each call, as the server has it: everybody asks for the same, and some are refused. */
import type { MethodKey } from '@handover/wire';
import { openServer } from '../../kit/server.js';
import { type Answer, type Caller, freshId, type Sessions, startBody, type World } from './world.js';

const CALLERS = ['nobody', 'initiator', 'participant', 'outsider', 'observer', 'manager'] as const;

const WORDS: Readonly<Record<string, string>> = {
  'nobody initiator participant outsider observer manager': 'anybody, without a credential',
  'initiator participant outsider observer manager': 'any agent',
  'initiator participant observer': 'who is in the session, and observers',
  initiator: 'the initiator, and whoever may commit',
  manager: 'agents with `can_manage_mode_registry`',
};

/** What `asked` needs besides the ids of sessions. */
type Request = (sessions: Sessions) => object;
const CANDIDATE = { mode: '*', schema_version: 1, rules: {} };

const REQUESTS: Partial<Readonly<Record<MethodKey, Request>>> = {
  initialize: () => ({ supported_protocol_versions: ['1.0'] }),
  send: () => startBody(freshId()),
  streamSession: ({ open }) => ({ subscribe_session_id: open }),
  getSession: ({ open }) => ({ session_id: open }),
  suspendSession: ({ open }) => ({ session_id: open }),
  resumeSession: ({ suspended }) => ({ session_id: suspended }),
  cancelSession: ({ open }) => ({ session_id: open }),
  getPolicy: () => ({ policy_id: 'policy.default' }),
  whatIfReplay: ({ open }) => ({ session_id: open, candidate: CANDIDATE }),
  getDecisionReceipt: ({ resolved }) => ({ session_id: resolved }),
  registerPolicy: () => ({ policy_descriptor: CANDIDATE }),
  registerExtMode: () => ({ mode_descriptor: {} }),
};

const isRefused = ({ code, inBand }: Answer) =>
  ['UNAUTHENTICATED', 'FORBIDDEN'].includes(code ?? inBand ?? '');

/** In words. `newSessions`: those that a caller before has changed are no use to the next one. */
export async function whoMayCall(
  key: MethodKey,
  world: World,
  newSessions: () => Promise<Sessions>,
): Promise<string> {
  const changes = ['cancelSession', 'suspendSession', 'resumeSession'].includes(key);
  let sessions = await newSessions();
  const admitted: Caller[] = [];
  for (const caller of CALLERS) {
    const answer = await world.http.ask(key, caller, REQUESTS[key]?.(sessions) ?? {});
    if (!isRefused(answer)) admitted.push(caller);
    if (changes && !isRefused(answer)) sessions = await newSessions();
  }
  const words = WORDS[admitted.join(' ')];
  if (words === undefined)
    throw new Error(`${key} may be called by ${admitted.join(', ')}: say that in words`);
  return words;
}

/** Whether a call counts in the rate of its caller; found out by a caller who may make one a minute. */
export async function countedCalls(
  calls: readonly (readonly [MethodKey, string])[],
): Promise<ReadonlySet<MethodKey>> {
  const env = { MACP_MESSAGE_LIMIT_PER_MINUTE: '1', MACP_SESSION_START_LIMIT_PER_MINUTE: '1' };
  const server = await openServer({ env });
  const counted = new Set<MethodKey>();
  try {
    for (const [key, name] of calls)
      for (let times = 0; times < 3; times++) {
        const body = key === 'send' ? startBody(freshId()) : { session_id: freshId(), candidate: CANDIDATE };
        const answer = await fetch(`${server.httpUrl}/macp/v1/${name}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer agent-${key}` },
          body: JSON.stringify({ ...body, policy_descriptor: CANDIDATE, mode_descriptor: {} }),
        });
        if ((await answer.text()).includes('RATE_LIMITED')) counted.add(key);
      }
    return counted;
  } finally {
    await server.close();
  }
}
