/**
 * Requests a handoff in one submission over two streams: the working session notes the request, and the MACP session
 * gets its start, its offer and its package. All of it happens, or nothing.
 */
import { Chosen, type Rejection, RejectionCode, reject, rejectWith, type StreamRef } from '@handover/core';
import { isRefusedName, REFUSED_NAMES_RULE } from '../../auth/agent-name.js';
import type { Principal } from '../../auth/principal.js';
import type { Outcome } from '../outcome.js';
import { HANDOFF_QUOTAS } from '../quotas.js';
import { rateFlaw } from '../rate-flaw.js';
import { sessionRef } from '../stream-refs.js';
import { startFlaw, submit } from './admit.js';
import { commitChoice } from './commit-choice.js';
import type { HandoffDependencies } from './dependencies.js';
import { fieldFlaw } from './field-flaw.js';
import { findHandoff } from './find-handoff.js';
import { type GatheredSession, gatherSession } from './gather-session.js';
import { type RequestArgs, type StartAnswer, startHandoff, worklogStep } from './handoff-steps.js';
import type { HandoffTextReader } from './handoff-texts.js';
import { viewHandoff } from './handoff-view.js';
import { formatHandoffId, OFFER_ID, requestId } from './ids.js';
import { sessionWarnings } from './session-warnings.js';
import type { HandoffView } from './types.js';
import { aboutSession } from './update-context.js';
import type { Worklogs } from './worklogs.js';

type Args = RequestArgs;

export async function requestHandoff(
  deps: HandoffDependencies,
  worklogs: Worklogs,
  texts: HandoffTextReader,
  principal: Principal,
  args: Args,
): Promise<Outcome<HandoffView>> {
  const flaw =
    startFlaw(principal) ?? targetFlaw(args) ?? rateFlaw(deps, principal, HANDOFF_QUOTAS.requestHandoff);
  if (flaw) return { rejection: flaw };
  const sessionId = requestId(principal, 'requestHandoff', args.idempotencyKey, deps.codec);
  const session = sessionRef(principal.tenant, sessionId);
  const found = await worklogs.find(principal, args.sessionKey);
  if (!found) return { rejection: await worklogs.refusal(principal, args.sessionKey) };
  let known: GatheredSession | undefined;
  const shown = async (replayed: boolean): Promise<Outcome<HandoffView>> => {
    const made = await findHandoff(deps, principal, formatHandoffId(sessionId, OFFER_ID));
    if (!made) throw new Error('an accepted handoff is not in the log');
    const view = await viewHandoff(texts, principal, made);
    const { leftUntil } = await texts.present(made);
    const { gathered } = known ?? (await gathering(deps, found.ref, view.packageUpTo ?? 0));
    const value = {
      ...view,
      ...(leftUntil !== undefined && { leftUntil }),
      warnings: sessionWarnings(gathered),
    };
    return replayed ? { value, replayed } : { value };
  };
  if (await exists(deps, session, args)) return await repeated(deps, principal, session, args, shown);
  const committing = await commitChoice(deps, principal, args);
  if ('code' in committing) return { rejection: committing };
  const answer = await deps.quota.whileStarting<StartAnswer>(
    principal,
    sessionId,
    async () => {
      known = await gathering(deps, found.ref, found.upTo);
      return startHandoff(deps, principal, session, found, args, committing, known);
    },
    (rejection) => ({ ok: false, rejection, step: 0 }),
  );
  if (answer.ok) return shown(answer.results[0].decision.kind === 'duplicate');
  // The same request was sent twice at once. The other one was first, with a package of its own.
  if (await exists(deps, session, args)) return await repeated(deps, principal, session, args, shown);
  return { rejection: refusal(answer.rejection, answer.step, args.sessionKey) };
}

const gathering = (deps: HandoffDependencies, ref: StreamRef, upTo: number): Promise<GatheredSession> =>
  gatherSession(deps, ref, upTo, deps.settingsNow().packageTokenBudget);

function targetFlaw({ targetAgent }: Args): Rejection | undefined {
  if (!isRefusedName(targetAgent)) return undefined;
  return fieldFlaw('targetAgent', `cannot name an agent: ${REFUSED_NAMES_RULE}`);
}

async function exists(
  { engine }: HandoffDependencies,
  session: StreamRef<'session'>,
  args: Args,
): Promise<boolean> {
  return args.idempotencyKey !== undefined && (await engine.query(session)) !== undefined;
}

/** The entry of the working session tells a retry from another request under the same key. */
async function repeated(
  deps: HandoffDependencies,
  principal: Principal,
  session: StreamRef<'session'>,
  args: Args,
  shown: (replayed: boolean) => Promise<Outcome<HandoffView>>,
): Promise<Outcome<HandoffView>> {
  const made = (await deps.engine.query(session))?.state;
  // Only for the same working session: another one does not know the key and would take it for a new request.
  if (made?.initiator !== principal.agent || made.binding?.worklog !== args.sessionKey)
    return { rejection: usedKey() };
  // Whoever said nothing is asked nothing: what held then holds.
  const { autoCommit = made.binding.autoCommit } = args;
  const step = worklogStep(deps, principal, session, 0, args, { autoCommit, chosen: Chosen.Argument });
  const answer = await submit(deps, principal, 'requestHandoff', {
    agent: principal.agent,
    steps: [step],
    bytes: 512,
  });
  if (!answer.ok) return { rejection: aboutSession(answer.rejection, args.sessionKey) };
  return shown(true);
}

function usedKey(): Rejection {
  return reject(RejectionCode.CONFLICT, 'the idempotency key was already used for a different request');
}

/**
 * A rejection by the working session goes to the caller. If the MACP session could not be prepared, the handoff failed.
 */
function refusal(rejection: Rejection, step: number, sessionKey: string): Rejection {
  return step === 0 ? aboutSession(rejection, sessionKey) : preparationRefusal(rejection, sessionKey);
}

export function preparationRefusal(rejection: Rejection, sessionKey: string): Rejection {
  if (rejection.code === RejectionCode.PAYLOAD_TOO_LARGE)
    return rejectWith(RejectionCode.HANDOFF_FAILED, 'the package is larger than a message may be', {
      sessionKey,
    });
  return reject(RejectionCode.HANDOFF_FAILED, `the handoff could not be prepared: ${rejection.message}`);
}
