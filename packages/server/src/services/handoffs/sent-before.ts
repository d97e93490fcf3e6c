/**
 * What was sent with the full handoffs that brought a working session to its owner. It went to one of its owners, and the
 * next ones need it as much.
 *
 * B1. Whoever has the session, or may write to it, reads all of it; who had it keeps what was there until it gave it away.
 * B2. Before the work is theirs, others see names and sizes at most.
 */
import { mayReadSent, transferAt, type WorklogState } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import { type Attachments, countOf } from './attachments.js';
import type { HandoffDependencies } from './dependencies.js';
import { lookUp } from './find-handoff.js';
import { formatHandoffId } from './ids.js';
import type { EarlierAttachment } from './types.js';

const MOST_HANDOFFS = fixedLimits.earlierHandoffsListed.value;
const WITHHELD = 'it can be read once the work is yours';

export interface EarlierList {
  readonly attachments: readonly EarlierAttachment[];
  /** There may be more than are listed. */
  readonly attachmentsTotal: number;
}

export class SentBefore {
  readonly #deps: HandoffDependencies;
  readonly #attachments: Attachments;

  constructor(deps: HandoffDependencies, attachments: Attachments) {
    this.#deps = deps;
    this.#attachments = attachments;
  }

  /** For a caller that may see the working session or an offer of it: the newest handoff first. */
  async list(
    { tenant, agent }: Principal,
    state: WorklogState,
    { most, except }: { readonly most: number; readonly except?: string },
  ): Promise<EarlierList> {
    const listed: EarlierAttachment[] = [];
    let attachmentsTotal = 0;
    for (const { sessionId, handoffId: offerId } of state.transfers.slice(-MOST_HANDOFFS).toReversed()) {
      const found =
        sessionId === except ? undefined : await lookUp(this.#deps, tenant, { sessionId, offerId });
      const count = found ? countOf(found) : 0;
      if (!found || count === 0) continue;
      attachmentsTotal += count;
      const index = transferAt(state, sessionId, offerId) ?? -1;
      const withheld = mayReadSent(state, index, agent) ? {} : { withheld: WITHHELD };
      const handoffId = formatHandoffId(sessionId, offerId);
      const from = found.offer.offeredBy;
      for (const one of await this.#attachments.described(found, most - listed.length)) {
        const { attachment, name, contentType, bytes } = one;
        listed.push({ handoffId, attachment, from, name, contentType, bytes, ...withheld });
      }
    }
    return { attachments: listed, attachmentsTotal };
  }
}
