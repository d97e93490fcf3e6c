/** Leaves a working session for others, or withdraws that; closes it, and opens it again. */
import type { WorklogCommand } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import type { Outcome } from '../outcome.js';
import type { HandoffTool } from '../quotas.js';
import { submit } from './admit.js';
import type { HandoffDependencies } from './dependencies.js';
import { payloadOf } from './payloads.js';
import type { HandoffService, WorklogView } from './types.js';
import { aboutSession } from './update-context.js';
import { type Worklogs, worklogRef } from './worklogs.js';

type Args<M extends keyof HandoffService> = Parameters<HandoffService[M]>[1];
type Owned = Extract<WorklogCommand, { readonly kind: 'park' | 'close' | 'reopen' }>;

export class OwnedSession {
  readonly #deps: HandoffDependencies;
  readonly #worklogs: Worklogs;

  constructor(deps: HandoffDependencies, worklogs: Worklogs) {
    this.#deps = deps;
    this.#worklogs = worklogs;
  }

  park(principal: Principal, { sessionKey, ...left }: Args<'park'>): Promise<Outcome<WorklogView>> {
    return this.#ask(principal, 'park', sessionKey, { kind: 'park', ...left, payload: this.#payload({}) });
  }

  close(principal: Principal, { sessionKey, outcome }: Args<'closeSession'>): Promise<Outcome<WorklogView>> {
    const command = { kind: 'close', outcome, payload: this.#payload({ outcome }) } as const;
    return this.#ask(principal, 'closeSession', sessionKey, command);
  }

  reopen(principal: Principal, sessionKey: string): Promise<Outcome<WorklogView>> {
    return this.#ask(principal, 'reopenSession', sessionKey, { kind: 'reopen', payload: this.#payload({}) });
  }

  /** What was so already is answered as a repetition. */
  async #ask(
    principal: Principal,
    tool: HandoffTool,
    sessionKey: string,
    command: Owned,
  ): Promise<Outcome<WorklogView>> {
    const stream = worklogRef(principal.tenant, sessionKey);
    const answer = await submit(this.#deps, principal, tool, {
      agent: principal.agent,
      steps: [{ stream, command }],
      bytes: 512,
    });
    if (!answer.ok) return { rejection: aboutSession(answer.rejection, sessionKey) };
    const [{ state, entries }] = answer.results;
    if (!state) throw new Error('an accepted command is not in the log');
    const value = await this.#worklogs.view(principal, stream, state);
    return entries.length === 0 ? { value, replayed: true } : { value };
  }

  #payload(value: Parameters<typeof payloadOf>[0]): Uint8Array {
    return payloadOf(value, this.#deps.codec);
  }
}
