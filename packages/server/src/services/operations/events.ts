/** The history of a record as its readers see it: one event per entry. */
import { AskAnswer, ClaimKind, type Entry, type JsonObject, OperationEntryType } from '@handover/core';
import { iso } from '../../platform/iso.js';
import { smallDocument } from './document.js';
import type { FamilyService } from './families/family.js';

export const createdEvent = (at: number): JsonObject => ({ at: iso(at), type: 'created' });

export function eventOf(family: FamilyService, entry: Entry): JsonObject {
  return { at: iso(entry.at), ...wordsOf(family, entry) };
}

function wordsOf(family: FamilyService, entry: Entry): JsonObject {
  const { facts } = entry;
  switch (entry.type) {
    case OperationEntryType.Posted:
      return posted(entry);
    case OperationEntryType.Result:
      return resultOf(family, entry);
    case OperationEntryType.Verified:
      return {
        type: 'verification',
        verdict: facts.verdict ?? '',
        ...(facts.step !== undefined && { stepId: facts.step }),
        ...(facts.block !== undefined && { blockNumber: facts.block }),
        ...(facts.reason !== undefined && { reason: facts.reason }),
      };
    case OperationEntryType.Cancelled:
      return { type: 'cancelled', by: facts.by ?? '' };
    case OperationEntryType.Expired:
    case OperationEntryType.TimeUp:
      return { type: 'expired' };
    case OperationEntryType.Asked:
      return asked(facts);
    case OperationEntryType.Answered:
      return answered(entry);
    case OperationEntryType.Claimed:
      return claimed(facts);
    case OperationEntryType.Judged:
      return judged(facts);
    case OperationEntryType.AskSettled:
      return { type: 'ask_settled', askId: facts.ask ?? '' };
    case OperationEntryType.Closing:
      return {
        type: 'closing',
        by: facts.by ?? '',
        ...(facts.replaced_by !== undefined && { replacedBy: facts.replaced_by }),
      };
    case OperationEntryType.RulesRaised:
      return { type: 'rules_raised', rev: facts.rev ?? '' };
    default:
      return { type: 'closed' };
  }
}

const asked = ({ ask, steps, account }: JsonObject): JsonObject => ({
  type: 'tx_requested',
  askId: ask ?? '',
  stepIds: steps ?? [],
  ...(account !== undefined && { account }),
});

function answered(entry: Entry): JsonObject {
  const { ask, answer, wallet_code: walletCode } = entry.facts;
  const { error } = smallDocument(entry) ?? {};
  return {
    type: answer === AskAnswer.Unclear ? 'unclear' : 'failed',
    askId: ask ?? '',
    answer: answer ?? '',
    ...(walletCode !== undefined && { walletCode }),
    ...(error !== undefined && { error }),
  };
}

const claimed = ({ step, kind, value, ask, source }: JsonObject): JsonObject => ({
  type: 'tx_submitted',
  ...(step !== undefined && { stepId: step }),
  ...(ask !== undefined && { askId: ask }),
  kind: kind ?? '',
  ...(kind === ClaimKind.Session ? { sessionId: value ?? '' } : { txHash: value ?? '' }),
  source: source ?? '',
});

const judged = ({ step, value, verdict, block, reason, detail }: JsonObject): JsonObject => ({
  type: 'verification',
  ...(step !== undefined && { stepId: step }),
  value: value ?? '',
  verdict: verdict ?? '',
  ...(block !== undefined && { blockNumber: block }),
  ...(reason !== undefined && { reasonCode: reason }),
  ...(detail !== undefined && { reason: detail }),
});

/** Of a large result the event says only that it came, and how large it is. */
function resultOf(family: FamilyService, entry: Entry): JsonObject {
  const document = smallDocument(entry);
  const event = family.resultEvent?.(document ?? {}) ?? {};
  return document ? event : { type: event.type ?? '', bytes: entry.payload.length };
}

/** What a page added to a post is shown up to this many bytes. */
const MAX_NOTES = 8_192;

function posted(entry: Entry): JsonObject {
  const { facts } = entry;
  const { error, ...notes } = smallDocument(entry) ?? {};
  const { txHashes, contracts } = entry.payload.length > MAX_NOTES ? {} : notes;
  return {
    type: facts.status ?? '',
    ...(facts.step !== undefined && { stepId: facts.step, stepStatus: facts.step_status ?? '' }),
    ...(facts.tx_hash !== undefined && { txHash: facts.tx_hash }),
    ...(facts.account !== undefined && { account: facts.account }),
    ...(error !== undefined && { error }),
    ...(txHashes !== undefined && { txHashes }),
    ...(contracts !== undefined && { contracts }),
  };
}
