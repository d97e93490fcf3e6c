/**
 * Goes on with work: the newest thing for the caller in its project, or what it names.
 *
 * R1. Without `accept` nothing changes: the caller sees the brief and decides.
 * R2. An offer is accepted, what was left is picked up, an own session becomes the one that the window is at. Each is a
 *     move that exists without `resume`, under the same rules.
 * R3. What the end of a conversation left is claimed only with `take`, or by its key.
 */
import {
  ANYONE,
  liveInstruction,
  mayPickUp,
  ParkedBy,
  RejectionCode,
  RequestType,
  rejectWith,
  type StreamRef,
  WorklogStatus,
  writeBrief,
} from '@handover/core';
import type { Principal } from '../../../auth/principal.js';
import type { Connection } from '../../connection.js';
import type { Outcome } from '../../outcome.js';
import type { CurrentSessions } from '../current-session.js';
import type { HandoffDependencies } from '../dependencies.js';
import { gatherSession } from '../gather-session.js';
import type { HandoffService, HandoffView } from '../types.js';
import { sessionNotFound, worklogRef } from '../worklogs.js';
import { candidatesOf, isOpenTo } from './candidates.js';
import type { Candidate, ResumeArgs, Resumed } from './types.js';

type Moves = Pick<
  HandoffService,
  'acceptHandoff' | 'getHandoff' | 'getPackage' | 'pickUp' | 'park' | 'reopenSession'
>;

const MOST_OTHERS = 5;
const MOST_ATTACHMENTS = 20;
const NOTHING = { attachments: [], attachmentsTotal: 0 } as const;

export class Resumes {
  readonly #deps: HandoffDependencies;
  readonly #current: CurrentSessions;
  readonly #moves: Moves;

  constructor(deps: HandoffDependencies, current: CurrentSessions, moves: Moves) {
    this.#deps = deps;
    this.#current = current;
    this.#moves = moves;
  }

  async resume(principal: Principal, args: ResumeArgs, connection: Connection): Promise<Outcome<Resumed>> {
    const project = args.project ?? connection.project?.id;
    const found = await candidatesOf(this.#deps, this.#current, principal, connection, project);
    const named = args.handoffId !== undefined || args.sessionKey !== undefined;
    const chosen = named ? await this.#named(principal, args, connection, found.here) : found.here[0];
    const others = found.here.filter((one) => one !== chosen).slice(0, MOST_OTHERS);
    const { elsewhere } = found;
    if (!chosen) {
      if (args.sessionKey !== undefined) return { rejection: sessionNotFound(args.sessionKey) };
      return { value: { kind: 'nothing', yours: false, ...NOTHING, others, elsewhere } };
    }
    const claims = chosen.kind === 'left' ? args.take || (args.accept && named) : args.accept || args.take;
    const outcome =
      chosen.kind === 'offer'
        ? await this.#offer(principal, args, chosen, claims)
        : await this.#session(principal, args, connection, chosen, claims);
    if ('rejection' in outcome) return outcome;
    const { sessionKey, yours } = outcome.value;
    if (claims && yours && sessionKey !== undefined) this.#current.note(principal, connection, sessionKey);
    return { ...outcome, value: { ...outcome.value, others, elsewhere } };
  }

  /** An offer by its id; a session by its key, in whatever way the caller may have it. */
  async #named(
    principal: Principal,
    { handoffId, sessionKey = '' }: ResumeArgs,
    connection: Connection,
    here: readonly Candidate[],
  ): Promise<Candidate | undefined> {
    if (handoffId !== undefined) return { kind: 'offer', sessionKey: '', handoffId, by: '', at: 0 };
    const listed = here.find((one) => one.sessionKey === sessionKey);
    if (listed) return listed;
    const state = (await this.#deps.engine.query(worklogRef(principal.tenant, sessionKey)))?.state;
    if (!state || state.status === WorklogStatus.Purged) return undefined;
    const about = { sessionKey, by: state.owner, at: state.lastActivityAt };
    if (state.owner === principal.agent) return { kind: 'own', ...about };
    const left = liveInstruction(state, this.#deps.now());
    const open =
      left && mayPickUp(left, principal.agent) && (left.takers[0] !== ANYONE || isOpenTo(connection));
    return open ? { kind: 'parked', ...about } : undefined;
  }

  async #offer(
    principal: Principal,
    { reason, tokenBudget }: ResumeArgs,
    { handoffId = '' }: Candidate,
    claims: boolean,
  ): Promise<Outcome<Resumed>> {
    const said = reason === undefined ? {} : { reason };
    const moved = claims
      ? await this.#moves.acceptHandoff(principal, { handoffId, ...said })
      : await this.#moves.getHandoff(principal, handoffId);
    if ('rejection' in moved) return moved;
    return this.#handoff(principal, moved, tokenBudget);
  }

  /** With the package as it was frozen, or the same entries in fewer words where that is too long. */
  async #handoff(
    principal: Principal,
    { value: view, replayed }: { readonly value: HandoffView; readonly replayed?: boolean },
    tokenBudget: number,
  ): Promise<Outcome<Resumed>> {
    const { handoffId, sessionKey, from, requestType, phase, packageUpTo: upTo = 0 } = view;
    if (view.status === 'failed')
      return {
        rejection: rejectWith(RejectionCode.CONFLICT, `the offer is ${phase}`, { handoffId, phase }),
      };
    const carried = await this.#moves.getPackage(principal, { handoffId, limit: 1 });
    if ('rejection' in carried) return carried;
    const { package: handed, attachments, attachmentsTotal } = carried.value;
    const frozen = handed && 'brief' in handed ? handed.brief : carried.value.brief;
    const ref = sessionKey === undefined ? undefined : worklogRef(principal.tenant, sessionKey);
    const state = ref && (await this.#deps.engine.query(ref))?.state;
    const tooLong = frozen !== undefined && frozen.tokens > tokenBudget;
    const brief =
      (tooLong || !frozen) && ref && carried.value.entriesWithheld === undefined
        ? { ...(await this.#brief(ref, from, upTo, tokenBudget)), rebuilt: true as const }
        : frozen;
    const last = state?.lastNumber ?? upTo;
    const count = Math.max(0, last - upTo);
    const value: Resumed = {
      kind: 'offer',
      yours: phase === 'committed' && state?.owner === principal.agent,
      ...(sessionKey !== undefined && { sessionKey }),
      handoffId,
      from,
      owner: state?.owner ?? view.holder,
      ...(requestType !== undefined && { requestType }),
      phase,
      ...(brief && { brief: { ...brief, ...(frozen && { digest: frozen.digest }), upTo } }),
      delta: { count, ...(count > 0 && { fromSequence: upTo + 1, toSequence: last }) },
      attachments: attachments.slice(0, MOST_ATTACHMENTS),
      attachmentsTotal,
      others: [],
      elsewhere: 0,
    };
    return replayed === true ? { value, replayed } : { value };
  }

  async #session(
    principal: Principal,
    { reason, tokenBudget }: ResumeArgs,
    connection: Connection,
    { kind, sessionKey }: Candidate,
    claims: boolean,
  ): Promise<Outcome<Resumed>> {
    if (claims && kind !== 'own') {
      const said = reason === undefined ? {} : { reason };
      const picked = await this.#moves.pickUp(principal, {
        sessionKey,
        anyone: isOpenTo(connection),
        ...said,
      });
      if ('rejection' in picked) return picked;
      const got = await this.#handoff(principal, picked, tokenBudget);
      return 'rejection' in got ? got : { ...got, value: { ...got.value, kind } };
    }
    if (claims) {
      const refused = await this.#reopen(principal, sessionKey);
      if (refused) return refused;
    }
    const ref = worklogRef(principal.tenant, sessionKey);
    const state = (await this.#deps.engine.query(ref))?.state;
    if (!state) return { rejection: sessionNotFound(sessionKey) };
    const { owner, status, lastNumber: upTo } = state;
    const isActive = status === WorklogStatus.Active;
    return {
      value: {
        kind,
        yours: owner === principal.agent,
        sessionKey,
        from: owner,
        owner,
        phase: kind === 'own' ? (isActive ? 'active' : 'completed') : 'parked',
        brief: { ...(await this.#brief(ref, owner, upTo, tokenBudget)), upTo },
        ...NOTHING,
        others: [],
        elsewhere: 0,
      },
    };
  }

  /** The owner goes on: what it closed is open again, and what it left for anyone is its own again. */
  async #reopen(
    principal: Principal,
    sessionKey: string,
  ): Promise<Extract<Outcome<never>, { rejection: unknown }> | undefined> {
    const ref = worklogRef(principal.tenant, sessionKey);
    const state = (await this.#deps.engine.query(ref))?.state;
    if (state && state.status !== WorklogStatus.Active) {
      const opened = await this.#moves.reopenSession(principal, sessionKey);
      return 'rejection' in opened ? opened : undefined;
    }
    const left = state && liveInstruction(state, this.#deps.now());
    if (left?.takers[0] !== ANYONE) return undefined;
    const kept = await this.#moves.park(principal, {
      sessionKey,
      takers: [],
      requestType: RequestType.FullHandoff,
      until: left.until,
      by: ParkedBy.Owner,
    });
    return 'rejection' in kept ? kept : undefined;
  }

  async #brief(ref: StreamRef, owner: string, upTo: number, tokenBudget: number) {
    const { gathered } = await gatherSession(this.#deps, ref, upTo, tokenBudget);
    return writeBrief(gathered, { sessionKey: ref.id, owner }, tokenBudget, this.#deps.codec);
  }
}
