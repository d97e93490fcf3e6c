/**
 * The decider of operations (docs/spec/operations.md): the request of an agent, the claims of a browser, and the
 * verification on the chain.
 */

import { StreamKind } from '../log/entry.js';
import type { DeciderOf } from '../streams.js';
import { decideOperation } from './decide.js';
import { OperationEntryType } from './entry-type.js';
import { evolveOperation } from './evolve.js';
import { operationDue, operationTick } from './tick.js';

export const operationDecider: DeciderOf<'operation'> = {
  kind: StreamKind.Operation,
  decide: decideOperation,
  evolve: evolveOperation,
  due: operationDue,
  tick: operationTick,
  listingChanged: (before, after) =>
    before?.status !== after.status ||
    before.closed !== after.closed ||
    operationDue(before) !== operationDue(after),
  listing: (state) => ({
    state: state.closed ? 'closed' : state.status,
    createdAt: state.createdAt,
    summary: { family: state.family, chainId: state.chainId, expiresAt: state.expiresAt },
  }),
  involved: (_state, { type, actor }) =>
    type === OperationEntryType.Created ? [{ agent: actor, role: 'creator' }] : [],
};
