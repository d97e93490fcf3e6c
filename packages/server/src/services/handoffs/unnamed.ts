/**
 * Callers whose name nobody chose: a request in dev mode without a bearer, and a connection without `--agent`.
 *
 * U1. Such a caller registers a session under the name in `agentFrom`. The registration keeps the caller's mark.
 * U2. In dev mode, what names a session of that mark is done for the owner of the session. All else is done as the
 *     default agent. A session that somebody registered with a bearer has no mark and stays theirs.
 * U3. A connection takes the name with its first registration, for the rest of its life. It cannot take one that
 *     another connection has, or one that owns a session of somebody else. After a restart of the server it is known by
 *     its mark as soon as it names a session of its own.
 */
import { StreamKind } from '@handover/core';
import { isAgentName, REFUSED_NAMES_RULE } from '../../auth/agent-name.js';
import type { Naming, Principal } from '../../auth/principal.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { ConnectionFacts } from '../connection.js';
import { listedRows } from '../listed-rows.js';
import type { Outcome } from '../outcome.js';
import type { HandoffDependencies } from './dependencies.js';
import { fieldFlaw } from './field-flaw.js';
import { markIn } from './payloads.js';
import { storedPayload } from './stored-payload.js';
import type { HandoffService, WorklogView } from './types.js';
import { worklogRef } from './worklogs.js';

export function forUnnamed(deps: HandoffDependencies, service: HandoffService): HandoffService {
  const as = (principal: Principal, sessionKey: string | undefined) =>
    sessionKey === undefined ? principal : actingIn(deps, principal, sessionKey);
  return {
    ...service,
    registerSession: (principal, args, connection) => register(deps, service, principal, args, connection),
    updateContext: async (principal, args, connection) =>
      service.updateContext(await as(principal, args.sessionKey), args, connection),
    requestHandoff: async (principal, args) =>
      service.requestHandoff(await as(principal, args.sessionKey), args),
    handOff: async (principal, args, connection) =>
      service.handOff(await as(principal, args.sessionKey), args, connection),
    resume: async (principal, args, connection) =>
      service.resume(await as(principal, args.sessionKey), args, connection),
    take: async (principal, args, connection) =>
      service.take(await as(principal, args.sessionKey), args, connection),
    closeSession: async (principal, args, connection) =>
      service.closeSession(await as(principal, args.sessionKey), args, connection),
    withdraw: async (principal, args) => service.withdraw(await as(principal, args.sessionKey), args),
    getSession: async (principal, sessionKey) =>
      service.getSession(await as(principal, sessionKey), sessionKey),
    readContext: async (principal, args) => service.readContext(await as(principal, args.sessionKey), args),
    readEntries: async (principal, args, connection) => {
      const sessionKey = 'sessionKey' in args.of ? args.of.sessionKey : undefined;
      return service.readEntries(await as(principal, sessionKey), args, connection);
    },
    searchContext: async (principal, args) =>
      service.searchContext(await as(principal, args.sessionKey), args),
    summarize: async (principal, sessionKey) =>
      service.summarize(await as(principal, sessionKey), sessionKey),
  };
}

type RegisterArgs = Parameters<HandoffService['registerSession']>[1];

async function register(
  deps: HandoffDependencies,
  service: HandoffService,
  caller: Principal,
  args: RegisterArgs,
  connection: ConnectionFacts | undefined,
): Promise<Outcome<WorklogView>> {
  if (!caller.unnamed) return service.registerSession(caller, args, connection);
  const { agentFrom } = args;
  if (!isAgentName(agentFrom))
    return { rejection: fieldFlaw('agentFrom', `cannot name an agent: ${REFUSED_NAMES_RULE}`) };
  if (caller.nameFrom === 'nobody')
    return service.registerSession({ ...caller, agent: agentFrom }, args, connection);
  const principal = await actingIn(deps, caller, args.sessionKey);
  const { naming } = principal.unnamed ?? {};
  return naming
    ? takeName(deps, (as) => service.registerSession(as, args, connection), principal, naming, args)
    : service.registerSession(principal, args, connection);
}

/** The name is reserved before anything is awaited, and given back when the registration fails. */
async function takeName(
  deps: HandoffDependencies,
  registered: (principal: Principal) => Promise<Outcome<WorklogView>>,
  principal: Principal,
  naming: Naming,
  { agentFrom }: RegisterArgs,
): Promise<Outcome<WorklogView>> {
  if (!naming.claim(agentFrom)) return registered(principal);
  let outcome: Outcome<WorklogView> | undefined;
  try {
    const own = agentFrom === principal.agent;
    const free = own || !(await ownsForeignSession(deps, { ...principal, agent: agentFrom }));
    outcome = await registered(free ? { ...principal, agent: agentFrom } : principal);
    return outcome;
  } finally {
    if (outcome && 'value' in outcome) naming.settle(agentFrom);
    else naming.release();
  }
}

async function actingIn(
  deps: HandoffDependencies,
  principal: Principal,
  sessionKey: string,
): Promise<Principal> {
  const { unnamed, nameFrom, tenant } = principal;
  if (!unnamed || (nameFrom !== 'nobody' && !unnamed.naming)) return principal;
  const ref = worklogRef(tenant, sessionKey);
  const state = (await deps.engine.query(ref))?.state;
  if (!state || (await markOf(deps, ref)) !== unnamed.mark) return principal;
  if (nameFrom === 'nobody') return { ...principal, agent: state.owner };
  unnamed.naming?.settle(state.agentFrom);
  return { ...principal, agent: state.agentFrom, nameFrom: 'flag', unnamed: { mark: unnamed.mark } };
}

async function markOf(
  { store, codec }: HandoffDependencies,
  ref: ReturnType<typeof worklogRef>,
): Promise<string | undefined> {
  const [first] = await store.read(ref, 0, { entries: 1, bytes: 0 });
  return first && markIn(storedPayload(first, codec), codec);
}

/** Whether the name belongs to somebody already. Looks at a bounded number of its sessions. */
async function ownsForeignSession(
  deps: HandoffDependencies,
  { tenant, agent, unnamed }: Principal,
): Promise<boolean> {
  let seen = 0;
  for await (const { ref } of listedRows(deps.engine, { tenant, kind: StreamKind.Worklog, agent })) {
    const owner = (await deps.engine.query(ref))?.state.owner;
    if (owner === agent) return (await markOf(deps, ref)) !== unnamed?.mark;
    if (++seen >= fixedLimits.countedSessions.value) return true;
  }
  return false;
}
