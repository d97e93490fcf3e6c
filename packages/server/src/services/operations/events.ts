/** The history of a record as its readers see it: one event per entry. */
import { type Codec, type Entry, type JsonObject, OperationEntryType } from '@handover/core';
import { iso } from '../../platform/iso.js';
import { documentOf } from './document.js';
import type { FamilyService } from './families/family.js';

export const createdEvent = (at: number): JsonObject => ({ at: iso(at), type: 'created' });

export function eventOf(family: FamilyService, entry: Entry, codec: Codec): JsonObject {
  return { at: iso(entry.at), ...wordsOf(family, entry, codec) };
}

function wordsOf(family: FamilyService, entry: Entry, codec: Codec): JsonObject {
  const { facts } = entry;
  switch (entry.type) {
    case OperationEntryType.Posted:
      return posted(entry, codec);
    case OperationEntryType.Result:
      return family.resultEvent(documentOf(entry, codec));
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
      return { type: 'expired' };
    default:
      return { type: 'closed' };
  }
}

function posted(entry: Entry, codec: Codec): JsonObject {
  const { facts } = entry;
  const { error, txHashes, contracts } = documentOf(entry, codec);
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
