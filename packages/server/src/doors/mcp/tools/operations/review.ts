import type { JsonObject } from '@handover/core';
import type { OperationService } from '../../../../services/operations/operation-service.js';
import type { ReviewRounds } from '../../tool.js';

/** Contains no text of an agent, because the client shows it as the words of this server. */
const MESSAGE = 'Review what was prepared on this page and sign it with your own wallet, or decline it.';

export function reviewRounds(service: OperationService, tool: string): ReviewRounds {
  return {
    ask(value: JsonObject, principal) {
      const url = value.operationUrl ?? value.xdalaUrl;
      const state = service.sealRound(principal, tool, value);
      if (typeof url !== 'string' || state === undefined) return undefined;
      return { url, state, message: `${MESSAGE} Its digest is ${String(value.digest)}.` };
    },
    knows: (state, principal) => service.knowsRound(principal, tool, state),
    resume: (state, declined, principal) => service.resume(principal, tool, state, declined),
  };
}
