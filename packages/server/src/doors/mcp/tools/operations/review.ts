import type { JsonObject } from '@handover/core';
import type { OperationDesk } from '../../../../services/operations/operation-service.js';
import type { ReviewRounds } from '../../tool.js';

/** No text of an agent: the client shows this as ours. */
const MESSAGE = 'Review what was prepared on this page and sign it with your own wallet, or decline it.';

export function reviewRounds(desk: OperationDesk, tool: string): ReviewRounds {
  return {
    ask(value: JsonObject, who) {
      const url = value.operationUrl ?? value.xdalaUrl;
      const state = desk.sealRound(who, tool, value);
      if (typeof url !== 'string' || state === undefined) return undefined;
      return { url, state, message: `${MESSAGE} Its digest is ${String(value.digest)}.` };
    },
    resume: (state, declined, who) => desk.resume(who, tool, state, declined),
  };
}
