/** Takes the work of a silent owner, where the policy lets it (assistants 2.3): for the caller, or for an agent that a person names. */
import { type Rejection, type TakeOverPolicy, WorklogStatus } from '@handover/core';
import type { Principal } from '../../../auth/principal.js';
import type { Connection } from '../../connection.js';
import type { Outcome } from '../../outcome.js';
import type { HandoffDependencies } from '../dependencies.js';
import type { HandoffService, HandoffView } from '../types.js';
import { sessionNotFound, worklogRef } from '../worklogs.js';
import { silenceOf } from './silence.js';
import { isWithinReach, nobodyMay, outOfReach, policyFor } from './who-may-take.js';

type Args<M extends keyof HandoffService> = Parameters<HandoffService[M]>[1];
type Refused = Extract<Outcome<never>, { readonly rejection: Rejection }>;

export class TakeMoves {
  readonly #deps: HandoffDependencies;
  readonly #takeOver: HandoffService['takeOver'];

  constructor(deps: HandoffDependencies, takeOver: HandoffService['takeOver']) {
    this.#deps = deps;
    this.#takeOver = takeOver;
  }

  async take(
    principal: Principal,
    args: Args<'take'>,
    connection: Connection,
  ): Promise<Outcome<HandoffView>> {
    const policy = policyFor(this.#deps.taking, principal, connection);
    if ('code' in policy) return this.#forbidden(principal, policy);
    return this.#moved(principal, args, policy, connection);
  }

  async takeFor(principal: Principal, { to, now, ...args }: Args<'takeFor'>): Promise<Outcome<HandoffView>> {
    const { takeOver, afterSecs } = this.#deps.taking;
    if (takeOver === 'off') return this.#forbidden(principal, nobodyMay());
    return this.#moved(principal, { ...args, taker: to }, { by: 'person', afterSecs: now ? 0 : afterSecs });
  }

  /** The rules judge the silence once more, when it is written: an owner that comes back just before keeps its work. */
  async #moved(
    principal: Principal,
    args: Args<'take'> & { readonly taker?: string },
    policy: TakeOverPolicy,
    connection?: Connection,
  ): Promise<Outcome<HandoffView>> {
    const { tenant } = principal;
    const state = (await this.#deps.engine.query(worklogRef(tenant, args.sessionKey)))?.state;
    if (!state || state.status === WorklogStatus.Purged)
      return { rejection: sessionNotFound(args.sessionKey) };
    if (policy.by === 'silent' && connection && !isWithinReach(state.project, connection))
      return { rejection: outOfReach(state, principal) };
    const { lastSignAt } = await silenceOf(this.#deps, tenant, state);
    return this.#takeOver(principal, { ...args, policy, lastSignAt });
  }

  #forbidden(actor: Principal, rejection: Rejection): Refused {
    this.#deps.audit.authorizationFailed({ actor, action: 'takeOver', code: rejection.code });
    return { rejection };
  }
}
