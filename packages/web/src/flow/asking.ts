/**
 * One ask of the wallet: leave from the server, the prompt, and what came of it, all through the outbox.
 *
 * K1. The outbox knows of it before the server does, and the server before the wallet.
 * K2. An answer of the server that got lost is asked for again: it is the same ask.
 * K3. What the wallet gets is made from the record whose digest is computed right before.
 */
import { type Api, ApiError } from '../api/api.js';
import { digestOf, hasOwnTexts } from '../format/digest.js';
import { type HandoffRecord, idOf, type Step } from '../model/record.js';
import { answerOf } from '../wallet/answer-of.js';
import { reportedText } from '../wallet/wallet-error.js';
import {
  type AskEnd,
  type AskGrant,
  Blocked,
  type Claim,
  type Family,
  grantIn,
  type Prepared,
} from './family.js';
import type { Outbox } from './outbox.js';
import type { OutboxEntry, Report } from './outbox-store.js';

export interface Ask {
  readonly record: HandoffRecord;
  readonly step: Step;
  readonly account: string;
  readonly prepared: Prepared;
  /** The last checks; what it throws keeps the wallet closed. */
  ready(): Promise<void>;
  tell(phase: 'wallet' | 'sending' | 'reporting'): void;
}

export interface AskOutcome {
  readonly claim?: Claim;
  readonly end?: AskEnd;
  /** How it ended, in the words of whoever said it. */
  readonly text?: string;
  /** The server has taken it. */
  readonly isTold: boolean;
}

export interface Asking {
  ask(ask: Ask): Promise<AskOutcome>;
  /** Finds out about asks of this browser whose answer got lost. */
  recover(record: HandoffRecord): Promise<void>;
}

export function createAsking(api: Api, family: Family, outbox: Outbox): Asking {
  /** Asks of this page that are under way. */
  const own = new Set<string>();

  const wanted = ({ record, step, account, prepared }: Ask): OutboxEntry => {
    const clientAsk = newId();
    own.add(clientAsk);
    const { session } = prepared;
    return outbox.want({
      clientAsk,
      path: api.base,
      id: idOf(record),
      stepIds: [step.id],
      account,
      chainId: record.chainId,
      ask: family.askReport(step, { account, clientAsk, ...(session && { session }) }),
      unanswered: family.endReport(step, { answer: 'unclear' }),
      at: Date.now(),
    });
  };

  const leave = async (entry: OutboxEntry, step: Step): Promise<AskGrant> => {
    try {
      return await grantOf(api, entry.ask);
    } catch (thrown) {
      // The server may have it all the same: it learns then that the wallet was never asked.
      if (isUnanswered(thrown)) outbox.abandon(entry, family.endReport(step, { answer: 'not_opened' }));
      else outbox.forget(entry);
      throw thrown;
    }
  };

  const prompt = async (entry: OutboxEntry, grant: AskGrant, ask: Ask): Promise<AskOutcome> => {
    const { record, step, prepared } = ask;
    try {
      await ask.ready();
      if (digestOf(record) !== record.digest || !hasOwnTexts(record)) throw new Blocked(CHANGED);
      ask.tell('wallet');
      const claim = await prepared.ask(grant, ask.tell);
      ask.tell('reporting');
      return { claim, isTold: await outbox.answered(entry, family.claimReport(step, claim), claim) };
    } catch (thrown) {
      const how: AskEnd = thrown instanceof Blocked ? { answer: 'not_opened' } : answerOf(thrown);
      const end = { ...how, error: reportedText(thrown) };
      const isTold = await outbox.answered(entry, family.endReport(step, end));
      return { end, text: reportedText(thrown), isTold };
    }
  };

  const recoverOne = async (entry: OutboxEntry) => {
    try {
      outbox.granted(entry, grantIn(await api.post(entry.ask.action, entry.ask.body)), false);
    } catch (thrown) {
      if (!isUnanswered(thrown)) outbox.forget(entry);
    }
  };

  return {
    ask: async (ask) => {
      const entry = wanted(ask);
      try {
        const grant = await leave(entry, ask.step);
        return await prompt(outbox.granted(entry, grant, true), grant, ask);
      } finally {
        own.delete(entry.clientAsk);
      }
    },
    recover: async (record) => {
      const waiting = record.steps.filter(({ status }) => status === 'requested').map(({ id }) => id);
      for (const entry of outbox.entries.value) {
        if (entry.state !== 'wanted' || entry.id !== idOf(record) || own.has(entry.clientAsk)) continue;
        if (entry.stepIds.some((id) => waiting.includes(id))) await recoverOne(entry);
      }
    },
  };
}

const CHANGED = 'What would be signed is not what your agent was shown.';
const WAITS_MS = [0, 1_000, 2_000, 5_000];

/** K2. */
async function grantOf(api: Api, { action, body }: Report): Promise<AskGrant> {
  let last: unknown;
  for (const wait of WAITS_MS) {
    await new Promise((resolve) => window.setTimeout(resolve, wait));
    try {
      return grantIn(await api.post(action, body));
    } catch (thrown) {
      if (!isUnanswered(thrown)) throw thrown;
      last = thrown;
    }
  }
  throw last;
}

/** It is not known whether the server has taken it. */
const isUnanswered = (thrown: unknown): boolean =>
  thrown instanceof ApiError && (thrown.status === 0 || thrown.status >= 500);

/** A UUID. The browser's own function is there on secure connections only. */
function newId(): string {
  const hex = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte, index) => {
    const marked = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, '0');
  }).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
