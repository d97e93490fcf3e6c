import {
  type Draft,
  type Entry,
  FaultCode,
  GENESIS,
  headOf,
  type JsonObject,
  type OperationState,
  operationDecider,
  presentOperation,
  type StoredOperation,
  StreamKind,
  seal,
} from '@handover/core';
import { describe, expect, it } from 'vitest';
import { nodeCodec } from '../../platform/node-codec.js';
import { LargeWork } from '../large/large-work.js';
import { documentBytes } from './document.js';
import { RecordDocuments } from './documents.js';

const ref = { tenant: 't', kind: StreamKind.Operation, id: `op_${'0'.repeat(32)}` } as const;

/** A log of one record, and the reads that were made of it. */
class Log {
  readonly entries: Entry[] = [];
  readonly reads: (readonly [after: number, given: number])[] = [];
  readonly documents = new RecordDocuments(this, nodeCodec, new LargeWork());
  state: OperationState | undefined;
  stored: StoredOperation | undefined;

  constructor() {
    const facts = { family: 'operation', chain_id: 1, expires_at: 9_000, digest: 'd', steps: [{ id: 's' }] };
    this.append('OperationCreated', facts, { network: 'testnet' });
  }

  append(type: string, facts: JsonObject, document: JsonObject = {}): Entry {
    const draft: Draft = {
      type,
      v: 1,
      actor: 'a',
      messageId: `m${this.entries.length}`,
      facts,
      payload: documentBytes(nodeCodec, document),
    };
    const last = this.entries.at(-1);
    const entry = seal(nodeCodec, ref, last ? headOf(last) : GENESIS, draft, 1_000, new Uint8Array(16));
    this.entries.push(entry);
    this.stored = operationDecider.evolve(this.stored, entry);
    this.state = presentOperation(this.stored);
    return entry;
  }

  fail = (error: string) =>
    this.append('OperationPosted', { status: 'failed', step: 's', step_status: 'failed' }, { error });

  async read(_ref: unknown, after: number, limit: { readonly entries: number }): Promise<readonly Entry[]> {
    const given = this.entries.slice(after, after + limit.entries);
    this.reads.push([after, given.length]);
    return given;
  }

  get record() {
    const last = this.entries.at(-1);
    if (!this.state || !last) throw new Error('there is no record');
    return { ref, state: this.state, head: headOf(last) };
  }

  errors = async () => (await this.documents.events(this.record)).map(({ error }) => error);
}

describe('documents of records', () => {
  it('reads what was asked for once, and not for the events', async () => {
    const log = new Log();
    expect(await log.documents.events(log.record)).toMatchObject([{ type: 'created' }]);
    expect(log.reads).toEqual([]);
    for (let n = 0; n < 2; n++)
      expect(await log.documents.derive(log.record, 'transactionRequest', { index: 0 })).toEqual({
        value: {},
      });
    expect(log.reads).toEqual([[0, 1]]);
  });

  it('is advanced by what was stored, and reads from where something is missing', async () => {
    const log = new Log();
    await log.errors();
    log.documents.stored(log.record, [log.fail('first')]);
    expect(await log.errors()).toEqual([undefined, 'first']);
    expect(log.reads).toEqual([]);
    log.fail('unseen');
    log.documents.stored(log.record, [log.fail('third')]);
    expect(await log.errors()).toEqual([undefined, 'first', 'unseen', 'third']);
    expect(log.reads).toEqual([[2, 2]]);
  });

  it('shows a record no event beyond its head', async () => {
    const log = new Log();
    const early = log.record;
    log.fail('later');
    await log.errors();
    expect(await log.documents.events(early)).toHaveLength(1);
  });

  it('notices a damaged payload, and an entry that is not there', async () => {
    const log = new Log();
    const entry = log.fail('as it was');
    log.entries[1] = { ...entry, payload: documentBytes(nodeCodec, { error: 'changed' }) };
    await expect(log.errors()).rejects.toMatchObject({ code: FaultCode.DATA_LOSS });
    const { record } = log;
    log.entries.pop();
    await expect(log.documents.events(record)).rejects.toMatchObject({ code: FaultCode.DATA_LOSS });
  });
});
