/** The history of a record as its readers see it: one event per entry. */
import { type Codec, type Entry, Family, type JsonObject, listOf, member } from '@handover/core';
import { documentOf } from './document.js';
import { iso } from './iso.js';

export const createdEvent = (at: number): JsonObject => ({ at: iso(at), type: 'created' });

export function eventOf(family: Family, entry: Entry, codec: Codec): JsonObject {
  return { at: iso(entry.at), ...wordsOf(family, entry, codec) };
}

function wordsOf(family: Family, entry: Entry, codec: Codec): JsonObject {
  const { facts } = entry;
  switch (entry.type) {
    case 'OperationPosted':
      return posted(entry, codec);
    case 'OperationResult':
      return result(family, documentOf(entry, codec));
    case 'OperationVerified':
      return {
        type: 'verification',
        verdict: facts.verdict ?? '',
        ...(facts.step !== undefined && { stepId: facts.step }),
        ...(facts.block !== undefined && { blockNumber: facts.block }),
        ...(facts.reason !== undefined && { reason: facts.reason }),
      };
    case 'OperationCancelled':
      return { type: 'cancelled', by: facts.by ?? '' };
    case 'OperationExpired':
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

function result(family: Family, document: JsonObject): JsonObject {
  const { completedAt = null, inputType = null, status = null } = document;
  if (family === Family.BundleDeploy) {
    const deployResultsCount = listOf(document.deployResults).length;
    return { type: 'result_received', completedAt, inputType, deployResultsCount };
  }
  const results = listOf(document.results);
  const okCount = results.filter((entry) => member(entry, 'ok') === true).length;
  return {
    type: 'session_start_result_received',
    completedAt,
    inputType,
    status,
    resultCount: results.length,
    okCount,
    failedCount: results.length - okCount,
  };
}
