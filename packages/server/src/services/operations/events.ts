/** The history of a record as its readers see it: one event per entry. */
import { type Entry, type JsonObject, OperationEntryType } from '@handover/core';
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
      return { type: 'expired' };
    default:
      return { type: 'closed' };
  }
}

/** Of a large result the event says only that it came, and how large it is. */
function resultOf(family: FamilyService, entry: Entry): JsonObject {
  const document = smallDocument(entry);
  if (document) return family.resultEvent(document);
  return { type: family.resultEvent({}).type ?? '', bytes: entry.payload.length };
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
