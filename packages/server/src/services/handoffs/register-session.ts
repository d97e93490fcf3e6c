import {
  mayWrite,
  named,
  type Rejection,
  RejectionCode,
  reject,
  rejectWith,
  shellWord,
  type WorklogCommand,
  type WorklogState,
  WorklogStatus,
} from '@handover/core';
import type { NameFrom, Principal } from '../../auth/principal.js';
import { iso } from '../../platform/iso.js';
import type { ConnectionFacts } from '../connection.js';
import type { Outcome } from '../outcome.js';
import { submit } from './admit.js';
import type { SessionParts } from './current-session.js';
import type { HandoffDependencies } from './dependencies.js';
import { requestId } from './ids.js';
import { MARK_FIELD, payloadOf } from './payloads.js';
import { freeKey } from './session-key.js';
import type { HandoffService, WorklogView } from './types.js';
import { type Worklogs, worklogRef } from './worklogs.js';

type Args = Parameters<HandoffService['registerSession']>[1];

export async function registerSession(
  deps: HandoffDependencies,
  { worklogs, current }: SessionParts,
  principal: Principal,
  args: Args,
  connection?: ConnectionFacts,
): Promise<Outcome<WorklogView>> {
  const { sessionKey, agentFrom, metadata = {}, idempotencyKey } = args;
  const rejection = agentFlaw(principal, agentFrom);
  if (rejection) return { rejection };
  const stream = worklogRef(principal.tenant, sessionKey);
  const id = requestId(principal, ['registerSession', sessionKey], idempotencyKey, deps.codec);
  const { unnamed } = principal;
  const payload = payloadOf({ metadata, ...(unnamed && { [MARK_FIELD]: unnamed.mark }) }, deps.codec);
  const { lifetimes } = deps.settingsNow();
  const command = { kind: 'register', id, lifetimes, payload, ...whereFrom(connection) } as const;
  const step = { stream, command, ...(idempotencyKey !== undefined && { messageId: id }) };
  const bytes = payload.length + 512;
  const answer = await submit(deps, principal, 'registerSession', { agent: agentFrom, steps: [step], bytes });
  if (!answer.ok) {
    const suggested = () => freeKey(deps, principal, connection, id);
    return { rejection: await existing(worklogs, principal, sessionKey, answer.rejection, suggested) };
  }
  const [{ state, decision }] = answer.results;
  if (!state) throw new Error('an accepted registration is not in the log');
  current.note(principal, connection, sessionKey);
  const value = await worklogs.view(principal, stream, state);
  return decision.kind === 'duplicate' ? { value, replayed: true } : { value };
}

/** What a working session keeps of the connection that registers it. */
export function whereFrom(
  connection: ConnectionFacts | undefined,
): Pick<Extract<WorklogCommand, { kind: 'register' }>, 'project' | 'instance'> {
  const { project, instance } = connection ?? {};
  return {
    ...(project && { project: { id: project.id, name: project.name } }),
    ...(instance !== undefined && { instance }),
  };
}

/** No agent registers in another's name, whatever its scopes: over stdio and in dev mode everybody has all of them. */
function agentFlaw(principal: Principal, agentFrom: string): Rejection | undefined {
  if (agentFrom === principal.agent) return undefined;
  const own = `agentFrom must be your own agent id, which is ${principal.agent}`;
  const how = principal.nameFrom && HOW_TO_NAME[principal.nameFrom](agentFrom);
  return reject(
    RejectionCode.FORBIDDEN,
    how === undefined ? own : `${own}; to be ${named(agentFrom)}, ${how}`,
  );
}

/** What to do instead with a session that the caller may read. */
function goingOn(state: WorklogState, { agent }: Principal): string {
  if (state.owner === agent)
    return state.status === WorklogStatus.Active
      ? 'It is yours and open: go on with updateContext, or resume {sessionKey, accept: true} for its brief.'
      : 'It is yours: resume {sessionKey, accept: true} opens it again if it was closed. For other work take another key.';
  if (mayWrite(state, agent))
    return `It is the work of ${named(state.owner)}, and you may write to it: go on with updateContext.`;
  return `It is the work of ${named(state.owner)}: readContext reads it. For other work take another key.`;
}

const withFlag = (agent: string) => `start it with --agent ${shellWord(agent)}`;

const HOW_TO_NAME: Readonly<Record<NameFrom, (agent: string) => string>> = {
  bearer: (agent) => `use Authorization: Bearer ${agent}`,
  nobody: (agent) => `use Authorization: Bearer ${agent}`,
  flag: withFlag,
  client: withFlag,
};

/** Only a caller who may see the session learns whose key it is; another one is given a key that is free. */
async function existing(
  worklogs: Worklogs,
  principal: Principal,
  sessionKey: string,
  rejection: Rejection,
  suggested: () => Promise<string>,
): Promise<Rejection> {
  if (rejection.code !== RejectionCode.CONFLICT) return rejection;
  const found = await worklogs.find(principal, sessionKey);
  if (!found)
    return rejectWith(rejection.code, rejection.message, { sessionKey, suggestion: await suggested() });
  const { id, status, agentFrom, createdAt } = found.state;
  const existingSession = { id, status, agentFrom, createdAt: iso(createdAt) };
  const hint = goingOn(found.state, principal);
  return rejectWith(rejection.code, rejection.message, { sessionKey, existingSession, hint });
}
