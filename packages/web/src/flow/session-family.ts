import type { SessionRecord, Step } from '../model/record.js';
import { publicRpc, RpcUnclear } from '../session/public-rpc.js';
import { sessionResult } from '../session/result.js';
import { hasStarted, permitFacts, signPermit, submitSession } from '../session/start-session.js';
import { Blocked, type Claim, type Family } from './family.js';
import { keepClaim } from './pending-claims.js';
import type { Review } from './review.js';

export interface SessionFamily extends Family {
  /** Ends the queue early: sessions that have started stay started. */
  end(): Promise<void>;
}

export function sessionFamily(review: Review): SessionFamily {
  const record = () => review.record.value as SessionRecord;
  const progress = (step: Step, rest: object) =>
    review.api.post('progress', { index: record().steps.findIndex(({ id }) => id === step.id), ...rest });
  const result = (declined: boolean) =>
    review.api.post('result', sessionResult(record(), new Date().toISOString(), declined));
  return {
    opened: null,
    connected: async () => undefined,
    requested: (step, account) => progress(step, { stepStatus: 'requested', account }),
    submitted: (step, { sessionId, owner }) => progress(step, { stepStatus: 'started', sessionId, owner }),
    failed: (step, error) => progress(step, { stepStatus: 'failed', error }),
    declined: () => result(true),
    end: () => result(false),
    happened: async ({ owner, sessionId }) => {
      const url = review.chain.value?.rpcUrl;
      if (url === undefined || owner === undefined || sessionId === undefined) return false;
      return hasStarted(publicRpc(url), owner, sessionId);
    },
    prepare: async (step, { provider, account }) => {
      const chain = review.chain.value;
      const session = record().request.sessions[record().steps.findIndex(({ id }) => id === step.id)];
      if (!chain?.rpcUrl || !session) throw new Blocked('This server names no public node for this network.');
      const rpc = publicRpc(chain.rpcUrl);
      const facts = await permitFacts(rpc, session, account, chain);
      const claim: Claim = { sessionId: facts.sessionId, owner: account };
      return {
        ask: async (tell) => {
          const signature = await signPermit(provider, facts, chain);
          tell('sending');
          // If this page is closed now, the next one asks the node whether the session started.
          keepClaim(record().handle, step.id, { ...claim, unsure: true });
          try {
            await submitSession(rpc, session, facts, signature, chain);
          } catch (thrown) {
            if (!(thrown instanceof RpcUnclear)) throw thrown;
            // The answer got lost, but the session may have started.
            if (!(await hasStarted(rpc, account, facts.sessionId))) throw thrown;
          }
          return claim;
        },
      };
    },
    finish: async () => {
      if (record().result === undefined) await result(false);
    },
  };
}
