/**
 * What-if replay (docs/spec/macp-2026.md 15): what would have come of a session under another policy. Nothing is stored or
 * published; the candidate need not be registered, and its id is not looked at.
 */
import {
  ANY_MODE,
  type NewPolicy,
  policyFlaw,
  type Rejection,
  RejectionCode,
  RulesRev,
  reject,
  StreamAudit,
  type StreamRef,
  type WhatIfEnd,
  type WhatIfEntry,
  WhatIfReplay,
} from '@handover/core';
import { callerKey } from '../../auth/caller-key.js';
import type { Principal } from '../../auth/principal.js';
import { entryPages } from '../../proof/entry-pages.js';
import type { ServiceDependencies } from '../dependencies.js';
import type { HistoryWork, Rest } from '../history-work.js';
import type { Outcome } from '../outcome.js';
import { rateFlaw } from '../rate-flaw.js';
import { sessionRef } from '../stream-refs.js';
import type { Sessions } from './sessions.js';

export interface WhatIfResult {
  readonly recordedPolicyId: string;
  readonly recorded: WhatIfEnd;
  readonly candidate: WhatIfEnd;
  readonly firstDivergence: number | undefined;
}

/** What was asked for, or why it cannot be read. */
export type AskedCandidate = NewPolicy | Rejection;

/** So many outcomes are taken at once. */
const PAGE = 200;
/** Any name that may be registered: the candidate's own does not count. */
const SOME_NAME = 'candidate';

export class WhatIf {
  readonly #deps: ServiceDependencies;
  readonly #sessions: Sessions;
  readonly #work: HistoryWork;

  constructor(deps: ServiceDependencies, sessions: Sessions, work: HistoryWork) {
    this.#deps = deps;
    this.#sessions = sessions;
    this.#work = work;
  }

  /** `take` gets the outcomes page by page, in order, while the replay goes on: a whole history of them is long. */
  async replay(
    principal: Principal,
    sessionId: string,
    asked: AskedCandidate,
    take: (entries: readonly WhatIfEntry[]) => void,
  ): Promise<Outcome<WhatIfResult>> {
    const limited = rateFlaw(this.#deps, principal);
    if (limited) return { rejection: limited };
    const ref = sessionRef(principal.tenant, sessionId);
    const found = await this.#deps.engine.query(ref);
    const refused = this.#sessions.judgeReader(principal, sessionId, found?.state);
    if (refused || !found) return { rejection: refused ?? NO_HISTORY };
    if ('code' in asked) return { rejection: asked };
    const flaw = candidateFlaw(asked, found.state.mode.descriptor.mode);
    if (flaw !== undefined)
      return { rejection: reject(RejectionCode.INVALID_POLICY_DEFINITION, `candidate: ${flaw}`) };
    const recordedPolicyId = found.state.policy.policyId;
    const replay = new WhatIfReplay(asked, this.#deps.codec);
    const holds = await this.#work.run(callerKey(principal), found.head.seq, (rest) =>
      this.#replayed(ref, found.head, replay, { rest, take }),
    );
    if (!holds) {
      this.#deps.metrics.replayMismatch();
      const message = 'the stored history does not replay to the state that is stored';
      return { rejection: reject(RejectionCode.INTERNAL_ERROR, message) };
    }
    const { recorded, candidate, firstDivergence } = replay;
    return { value: { recordedPolicyId, recorded, candidate, firstDivergence } };
  }

  /** Up to the head at which the session stood when it was asked for. False: the history does not hold. */
  async #replayed(
    ref: StreamRef<'session'>,
    head: { readonly seq: number; readonly hash: string },
    replay: WhatIfReplay,
    { rest, take }: { readonly rest: Rest; readonly take: (entries: readonly WhatIfEntry[]) => void },
  ): Promise<boolean> {
    const { codec, stored } = this.#deps;
    const audit = new StreamAudit(ref, codec);
    let page: WhatIfEntry[] = [];
    for await (const entries of entryPages(stored, ref)) {
      for (const entry of entries) {
        if (entry.seq > head.seq) break;
        if (!audit.add(entry)) return false;
        const outcome = replay.add(entry);
        if (outcome) page.push(outcome);
        if (page.length === PAGE) {
          take(page);
          page = [];
        }
        const pause = rest();
        if (pause) await pause;
      }
    }
    take(page);
    return audit.verdict().head.hash === head.hash;
  }
}

const NO_HISTORY = reject(RejectionCode.SESSION_NOT_FOUND, 'session_id names no session');

/** As at a registration, but for the id; and it must be able to govern this session. */
function candidateFlaw(candidate: NewPolicy, mode: string): string | undefined {
  const flaw = policyFlaw({ ...candidate, policyId: SOME_NAME }, RulesRev.Newest);
  if (flaw !== undefined) return flaw;
  if (candidate.mode === mode || candidate.mode === ANY_MODE) return undefined;
  return `mode must be ${mode}, the mode of the session, or ${ANY_MODE}`;
}
