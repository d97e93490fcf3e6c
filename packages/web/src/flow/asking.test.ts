import { signal } from '@preact/signals';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Api } from '../api/api.js';
import { digestOf } from '../format/digest.js';
import type { OperationRecord } from '../model/record.js';
import { createAsking } from './asking.js';
import { Blocked, type Family } from './family.js';
import { operationFamily } from './operation-family.js';
import type { Outbox } from './outbox.js';
import type { OutboxEntry, Report } from './outbox-store.js';
import type { Review } from './review.js';

beforeEach(() => {
  vi.stubGlobal('window', globalThis);
});

const step = { id: 'pay', status: 'pending', txRequest: { to: `0x${'aa'.repeat(20)}`, value: '7' } };
const asked = { family: 'operation', id: 'op_1', chainId: 1, steps: [step] } as unknown as OperationRecord;
const record = { ...asked, digest: digestOf(asked) };

/** A server that grants every ask, and an outbox that only writes down what it is told. */
function parts() {
  const told: Report[] = [];
  const written: OutboxEntry['state'][] = [];
  const api = {
    base: '/api/operations/op_1',
    post: async () => ({ ask: { id: 'ask_1', token: 'token', stepIds: ['pay'] } }),
  } as unknown as Api;
  const outbox = {
    entries: signal([]),
    want: (entry: OutboxEntry) => {
      written.push('wanted');
      return entry;
    },
    granted: (entry: OutboxEntry) => {
      written.push('asking');
      return entry;
    },
    answered: async (_entry: OutboxEntry, report: Report) => {
      told.push(report);
      return true;
    },
  } as unknown as Outbox;
  const family: Family = operationFamily({ api } as unknown as Review);
  return { asking: createAsking(api, family, outbox), told, written };
}

const ask = (of: OperationRecord, prompt: () => Promise<object>, ready = async () => undefined) => ({
  record: of,
  step: of.steps[0] as OperationRecord['steps'][number],
  account: `0x${'bb'.repeat(20)}`,
  prepared: { ask: prompt },
  ready,
  tell: () => undefined,
});

it('the outbox knows of an ask before the server, and the server before the wallet', async () => {
  const { asking, written } = parts();
  await asking.ask(
    ask(record, async () => {
      written.push('answered');
      return { txHash: '0x' };
    }),
  );
  expect(written).toEqual(['wanted', 'asking', 'answered']);
});

it('what differs from its digest in the last moment is not given to the wallet', async () => {
  const { asking, told } = parts();
  const prompt = vi.fn(async () => ({ txHash: '0x' }));
  const steps = [{ ...step, txRequest: { ...step.txRequest, value: '8' } }];
  const changed = { ...record, steps } as unknown as OperationRecord;
  const { end } = await asking.ask(ask(changed, prompt));
  expect(prompt).not.toHaveBeenCalled();
  expect(end).toMatchObject({ answer: 'not_opened' });
  expect(told).toMatchObject([{ body: { answer: 'not_opened' } }]);
});

it('a check that fails before the prompt keeps the wallet closed', async () => {
  const { asking, told } = parts();
  const prompt = vi.fn(async () => ({ txHash: '0x' }));
  await asking.ask(
    ask(record, prompt, async () => {
      throw new Blocked('the account has changed');
    }),
  );
  expect(prompt).not.toHaveBeenCalled();
  expect(told).toMatchObject([{ body: { answer: 'not_opened', error: 'the account has changed' } }]);
});
