/**
 * The rules of 0.1.0. No live server decides by them: they say whether the entries of a record from then are what the
 * server of then had to write.
 */

import type { Decider } from '../../decider.js';
import { StreamKind } from '../../log/entry.js';
import type { OperationCommand } from './command.js';
import { decideRev1 } from './decide.js';
import { evolveRev1 } from './evolve.js';
import type { OperationState } from './state.js';
import { rev1Due, rev1Tick } from './tick.js';

export const rev1Decider: Pick<
  Decider<OperationState, OperationCommand>,
  'kind' | 'decide' | 'evolve' | 'due' | 'tick'
> = {
  kind: StreamKind.Operation,
  decide: decideRev1,
  evolve: evolveRev1,
  due: rev1Due,
  tick: rev1Tick,
};
