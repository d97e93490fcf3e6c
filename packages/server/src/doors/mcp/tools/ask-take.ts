/** Asks the user before work is taken over from a silent owner, where the client can ask (assistants 2.3). */

import { createHash } from 'node:crypto';
import { named, RejectionCode, reject } from '@handover/core';
import { iso } from '../../../platform/iso.js';
import type { TakePermit } from '../../../services/handoffs/types.js';
import type { Ask } from '../tool.js';

export const askTake =
  (ask: Ask): TakePermit =>
  async ({ sessionKey, from, silentSince }) => {
    const message = `Take ${named(sessionKey)} over from ${named(from)}, silent since ${minute(silentSince)}?`;
    switch (await ask({ id: questionId(sessionKey, from), message })) {
      case 'yes':
        return undefined;
      case 'no':
        return reject(RejectionCode.FORBIDDEN, 'the user declined');
      case 'closed':
        return reject(RejectionCode.FORBIDDEN, 'the user closed the question without an answer');
      case 'unanswered':
        return reject(RejectionCode.FORBIDDEN, 'the user has not answered yet');
    }
  };

/** A yes is for this work and this owner; a key may be long and hold anything. */
const questionId = (sessionKey: string, from: string): string =>
  `take-${createHash('sha256')
    .update(JSON.stringify([sessionKey, from]))
    .digest('hex')
    .slice(0, 16)}`;

/** To the minute, with the zone: whoever is asked may be anywhere. */
const minute = (at: number): string => `${iso(at).slice(0, 16).replace('T', ' ')} UTC`;
