/**
 * A target that decides by a predicate. The owner offers first and sends the context after that, so the decision waits for
 * it, and knows whether it came. New context after a predicate that left the offer to others asks again.
 */

import { given, validateFunction, validateTexts } from '../../arguments.js';
import { MacpSessionError } from '../../errors.js';
import {
  ContextClock,
  type ContextWait,
  contextWaitOf,
  type Waited,
  within,
} from '../../handoff/context-clock.js';
import type { HandoffContextRecord, HandoffRecord } from '../../handoff/records.js';
import { policyAnswersAfter } from '../../policy/answers-after.js';
import type { HandlerContext } from '../handlers.js';
import type { Strategy } from '../participant.js';
import { answer, waiting } from './answer.js';

/** What a predicate decides on. */
export interface OfferedHandoff {
  /** The offer itself. */
  readonly handoff: HandoffRecord;
  /** The contexts that have come so far. */
  readonly contexts: readonly HandoffContextRecord[];
  /** `context`: it came, and then nothing new. `stopped`: none came in time, and the decision is taken without. */
  readonly waited: Waited;
}

/** Says whether to take a handoff. */
export type HandoffPredicate = (offered: OfferedHandoff) => boolean | Promise<boolean>;

/** Details of `acceptWhen`. */
export interface AcceptOptions {
  /** Said with each acceptance. */
  readonly reason?: string;
  /** What to do when the predicate says no; `decline` by default, `ignore` leaves the answer to others. */
  readonly otherwise?: 'decline' | 'ignore';
  /** Said with each refusal. */
  readonly declineReason?: string;
  /** How long to wait for context; `firstMs: 0` decides at the offer. */
  readonly context?: ContextWait;
  /** True waits for the first context however long it takes. */
  readonly afterContext?: boolean;
}

/** Accepts the handoffs to which a predicate says yes, once their context has come or was waited for. */
export function acceptWhen(predicate: HandoffPredicate, options: AcceptOptions = {}): Strategy {
  validateFunction('predicate', predicate);
  const { otherwise = 'decline', reason, declineReason } = given('options', options);
  validateTexts({ reason, declineReason });
  if (otherwise !== 'decline' && otherwise !== 'ignore')
    throw new MacpSessionError('otherwise must be decline or ignore', 'otherwise');
  const wait = contextWaitOf(options.context);
  return {
    install(participant) {
      const deciding = new Deciding(predicate, options, wait);
      participant
        .on('HandoffOffer', ({ payload }, context) => deciding.consider(payload.handoffId, context))
        .on('HandoffContext', ({ payload }, context) => deciding.consider(payload.handoffId, context));
    },
  };
}

class Deciding {
  readonly #predicate: HandoffPredicate;
  readonly #options: AcceptOptions;
  readonly #wait: ReturnType<typeof contextWaitOf>;
  readonly #clocks = new Map<string, ContextClock>();
  #takeBack = () => {};

  constructor(predicate: HandoffPredicate, options: AcceptOptions, wait: ReturnType<typeof contextWaitOf>) {
    this.#predicate = predicate;
    this.#options = options;
    this.#wait = wait;
  }

  /** Decides, or waits for what may come; a session has one open offer at a time. */
  async consider(handoffId: string, context: HandlerContext): Promise<void> {
    this.#takeBack();
    if (!waiting(handoffId, context)) return;
    const clock = this.#clocks.get(handoffId) ?? (await this.#start(context));
    const count = context.projection.contexts.get(handoffId)?.length ?? 0;
    this.#clocks.set(handoffId, clock);
    clock.saw(count);
    if (count === 0 && this.#options.afterContext) return;
    const left = clock.left();
    const decide = () => this.#decide(handoffId, clock.waited, context);
    if (left <= 0) await decide();
    else this.#takeBack = context.participant.after(left, decide);
  }

  async #start({ participant, projection }: HandlerContext): Promise<ContextClock> {
    const { client, auth, policyVersion } = participant.session;
    const since = performance.now();
    const bound = projection.sessionStart?.policyVersion ?? policyVersion;
    return new ContextClock(within(this.#wait, await policyAnswersAfter(client, bound, auth)), since);
  }

  async #decide(handoffId: string, waited: Waited, context: HandlerContext): Promise<void> {
    const handoff = waiting(handoffId, context);
    if (!handoff) return;
    this.#clocks.delete(handoffId);
    const { reason = '', otherwise = 'decline', declineReason = '' } = this.#options;
    const contexts = context.projection.contexts.get(handoffId) ?? [];
    if (await this.#predicate({ handoff, contexts, waited }))
      await answer('accept', handoffId, reason, context);
    else if (otherwise === 'decline') await answer('decline', handoffId, declineReason, context);
  }
}
