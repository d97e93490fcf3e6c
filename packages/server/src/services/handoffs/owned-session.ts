/** Leaves a working session for others, or withdraws that; closes it, and opens it again. */
import { randomUUID } from 'node:crypto';
import { ANYONE, isBlank, type WorklogCommand, WorklogStatus } from '@handover/core';
import { AGENT_NAME_RULE, isAgentName } from '../../auth/agent-name.js';
import type { Principal } from '../../auth/principal.js';
import type { ConnectionFacts } from '../connection.js';
import type { Outcome } from '../outcome.js';
import type { HandoffTool } from '../quotas.js';
import { submit } from './admit.js';
import type { HandoffDependencies } from './dependencies.js';
import { fieldFlaw } from './field-flaw.js';
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

  async park(principal: Principal, { sessionKey, ...left }: Args<'park'>): Promise<Outcome<WorklogView>> {
    const [taker = ANYONE] = left.takers;
    if (taker !== ANYONE && !isAgentName(taker))
      return { rejection: fieldFlaw('takers', `must be ${AGENT_NAME_RULE}`) };
    return this.#ask(principal, 'park', sessionKey, { kind: 'park', ...left, payload: this.#payload({}) });
  }

  /** With what was achieved as the last entry. Of one that is closed already the first words stay. */
  async close(
    principal: Principal,
    { sessionKey, outcome, summary = '' }: Args<'closeSession'>,
    { instance }: ConnectionFacts = {},
  ): Promise<Outcome<WorklogView>> {
    const found = await this.#worklogs.find(principal, sessionKey);
    const isOpen = found?.state.status === WorklogStatus.Active;
    const note = { contextType: 'message', content: summary, metadata: { note: 'done' } };
    const last = {
      kind: 'addContext',
      entryId: randomUUID(),
      contextType: note.contextType,
      payload: this.#payload(note),
      lifetimes: this.#deps.settingsNow().lifetimes,
      kinds: ['done'],
      ...(instance !== undefined && { instance }),
    } as const;
    const command = { kind: 'close', outcome, payload: this.#payload({ outcome }) } as const;
    return this.#ask(
      principal,
      'closeSession',
      sessionKey,
      command,
      isOpen && !isBlank(summary) ? last : undefined,
    );
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
    first?: Extract<WorklogCommand, { readonly kind: 'addContext' }>,
  ): Promise<Outcome<WorklogView>> {
    const stream = worklogRef(principal.tenant, sessionKey);
    const commands = first ? [first, command] : [command];
    const answer = await submit(this.#deps, principal, tool, {
      agent: principal.agent,
      steps: commands.map((one) => ({ stream, command: one })),
      bytes: 512 + (first?.payload.length ?? 0),
    });
    if (!answer.ok) return { rejection: aboutSession(answer.rejection, sessionKey) };
    const last = answer.results.at(-1);
    if (!last?.state) throw new Error('an accepted command is not in the log');
    const value = await this.#worklogs.view(principal, stream, last.state);
    return last.entries.length === 0 ? { value, replayed: true } : { value };
  }

  #payload(value: Parameters<typeof payloadOf>[0]): Uint8Array {
    return payloadOf(value, this.#deps.codec);
  }
}
