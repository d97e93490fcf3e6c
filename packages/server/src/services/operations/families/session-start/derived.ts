/** What every read derives from a session start: who owns what, and a summary of the result. */
import { type Fields, isText, type Json, type JsonObject, listOf, member } from '@handover/core';
import { isAddress } from '@handover/evm';

const unique = (values: readonly unknown[]): Json[] => [...new Set(values.filter(isText))];

/** The owner of the contract is not the owner of a session; a session has none before it has started. */
export function ownershipOf(created: Fields, result: Fields | undefined): JsonObject {
  const authority = created.authority;
  const sessions = listOf(member(created.request, 'sessions'));
  const starters = unique(sessions.map((session) => member(session, 'starterAddress')));
  const owners = unique(
    listOf(result?.results)
      .map((entry) => member(entry, 'owner'))
      .filter(isAddress),
  );
  const [contractOwner, executors, wildcard] = ['owner', 'executors', 'executorWildcard'].map((key) =>
    member(authority, key),
  );
  return {
    ...(isText(contractOwner) && { xrc729ContractOwner: contractOwner }),
    ...(Array.isArray(executors) && { allowedExecutors: executors as Json[] }),
    ...(typeof wildcard === 'boolean' && { executorWildcard: wildcard }),
    ...(starters.length > 0 && { intendedStarterAddresses: starters }),
    ...(owners.length > 0 && { actualSessionOwners: owners }),
    status: owners.length > 0 ? 'actual_recorded' : 'not_final',
    note: 'The owner of the XRC-729 contract is not the owner of a session; whoever starts a session owns it.',
  };
}

export function summaryOf(created: Fields, result: Fields | undefined): JsonObject {
  const results = listOf(result?.results);
  const sessions = result ? listOf(member(created.request, 'sessions')) : [];
  const ok = results.filter((entry) => member(entry, 'ok') === true).length;
  const of = (list: readonly unknown[], key: string) => unique(list.map((entry) => member(entry, key)));
  const sessionIds = of(results, 'sessionId');
  return {
    status: isText(result?.status) ? result.status : 'not_available',
    total: results.length,
    ok,
    failed: results.length - ok,
    owners: of(results, 'owner'),
    sessionIds,
    pids: of(results, 'pid'),
    orchestrations: of(sessions, 'orchestration'),
    ostcIds: of(sessions, 'ostcId'),
    stepIds: of(sessions, 'stepId'),
    evidenceReady: ok > 0 && sessionIds.length > 0,
  };
}
