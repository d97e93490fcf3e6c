/** WhatIfReplay. Outcomes are encoded page by page, as they come: parts of a message that stand one after another are one. */
import { encodeMessage, pb } from '@handover/wire';
import { whatIfRpcs } from '../../../services/macp/rpc/what-if.js';
import type { DoorContext } from '../context.js';
import { statusOfRejection } from '../errors.js';
import { authenticatedCall } from '../unary.js';

export function whatIfMethods(context: DoorContext) {
  const { whatIfReplay } = whatIfRpcs(context);
  return {
    whatIfReplay: authenticatedCall(context, pb.WhatIfReplayRequestSchema, async (principal, request) => {
      const parts: Uint8Array[] = [];
      const answered = await whatIfReplay.answer(principal, request, (part) => {
        parts.push(encodeMessage(whatIfReplay.output, part));
      });
      if ('rejection' in answered) return statusOfRejection(answered.rejection);
      return Buffer.concat([encodeMessage(whatIfReplay.output, answered.value), ...parts]);
    }),
  };
}
