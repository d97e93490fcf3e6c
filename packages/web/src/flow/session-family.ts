import { holdsRedacted } from '@handover/core';
import type { SessionRecord, Step } from '../model/record.js';
import { publicRpc, RpcUnclear } from '../session/public-rpc.js';
import { sessionResult } from '../session/result.js';
import { hasStarted, permitFacts, signPermit, submitSession } from '../session/start-session.js';
import { Blocked, type Claim, type Family } from './family.js';
import type { Review } from './review.js';

export interface SessionFamily extends Family {
  /** Ends the queue early: sessions that have started stay started. */
  end(): Promise<void>;
}

export function sessionFamily(review: Review): SessionFamily {
  const record = () => review.record.value as SessionRecord;
  const progress = (step: Step, rest: object) => ({
    index: record().steps.findIndex(({ id }) => id === step.id),
    ...rest,
  });
  const result = async (declined: boolean) =>
    void (await review.api.post('result', sessionResult(record(), new Date().toISOString(), declined)));
  return {
    opened: null,
    connected: async () => undefined,
    askReport: (step, { account, clientAsk, session }) => ({
      action: 'progress',
      body: progress(step, { stepStatus: 'requested', account, clientAsk, ...session }),
    }),
    claimReport: (step, { sessionId, owner }) => ({
      action: 'progress',
      body: progress(step, { stepStatus: 'started', sessionId, owner }),
    }),
    endReport: (step, end) => ({
      action: 'progress',
      body: progress(step, { stepStatus: 'failed', ...end }),
    }),
    declined: () => result(true),
    end: () => result(false),
    prepare: async (from, step, { provider, account }) => {
      const chain = review.chain.value;
      const { request, steps } = from as SessionRecord;
      const session = request.sessions[steps.findIndex(({ id }) => id === step.id)];
      if (!chain?.rpcUrl || !session) throw new Blocked('This server names no public node for this network.');
      if (holdsRedacted(session))
        throw new Blocked('This page was not given the secret values of the request.');
      const rpc = publicRpc(chain.rpcUrl);
      const facts = await permitFacts(rpc, session, account, chain);
      const claim: Claim = { sessionId: facts.sessionId, owner: account };
      const known = { sessionId: facts.sessionId, owner: account, permitExpiry: facts.expiry };
      return {
        session: known,
        ask: async (_grant, tell) => {
          const signature = await signPermit(provider, facts, chain);
          tell('sending');
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
