/** An answer that comes in parts is written in many turns of the loop, and never held as one message. */
import { encodeMessage, methods } from '@handover/wire';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { turnsOf } from '../../../../../../test/hardening/support/turns.js';
import { BodyBudget } from '../../../services/body-budget.js';
import type { Rpc } from '../../../services/macp/rpc/rpc.js';
import type { HttpEnv, RouteDependencies } from '../http-types.js';
import { answerUnary } from './unary.js';

const { input, output } = methods.whatIfReplay;
const ITEMS_OF_A_PART = 200;

/** Outcomes of so many entries, taken all in one turn: every further turn is one of the door. */
function replayOf(parts: number): Rpc {
  const entryOf = (at: number) => ({
    historyIndex: BigInt(at),
    messageId: 'm'.repeat(100),
    messageType: 'Vote',
  });
  return {
    input,
    output,
    open: true,
    answer(_, __, take) {
      for (let part = 0; part < parts; part++) {
        const entries = Array.from({ length: ITEMS_OF_A_PART }, (_, i) =>
          entryOf(part * ITEMS_OF_A_PART + i),
        );
        take(encodeMessage(output, { entries }));
      }
      return { bytes: encodeMessage(output, { recordedPolicyId: 'policy.default' }) };
    },
  };
}

function asked(rpc: Rpc) {
  const deps = { deps: { maxPayloadBytes: 65_536 } } as RouteDependencies;
  const app = new Hono<HttpEnv>();
  app.use((c, next) => {
    c.set('budget', new BodyBudget({ inAll: 1e6, ofCaller: 1e6, ofStrangers: 1e6, ofAddress: 1e6 }));
    return next();
  });
  app.post('/ask', (c) => answerUnary(c, deps, rpc, undefined));
  const headers = { 'content-type': 'application/json' };
  return turnsOf(Promise.resolve(app.request('/ask', { method: 'POST', headers, body: '{}' })));
}

describe('hardening:H1 an answer in parts', () => {
  it('has a turn of the loop for every few of its parts, and is the whole message', async () => {
    const few = await asked(replayOf(1));
    const many = await asked(replayOf(250));
    const text = await many.value.text();
    const { entries, recorded_policy_id } = JSON.parse(text) as Record<string, { history_index: number }[]>;
    expect(entries?.map(({ history_index }) => history_index)).toEqual([...(entries ?? [])].map((_, i) => i));
    expect([entries?.length, recorded_policy_id]).toEqual([50_000, 'policy.default']);
    // Some 30,000 characters in each part, and 65,536 in a turn: about three parts.
    expect(many.turns - few.turns).toBeGreaterThan(250 / 4);
  });
});
