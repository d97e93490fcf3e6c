/** W8: the owner ends the work, and can go on with it later. What is true already is not recorded again. */

import { accepted, type Decision, rejected, type Stamp } from '../decider.js';
import { RejectionCode, reject } from '../rejection.js';
import { named } from '../text.js';
import type { WorklogCommand } from './command.js';
import { draft } from './draft.js';
import { WorklogEntryType } from './entry-type.js';
import { roomFlaw, statusFlaw, underWayFlaw } from './flaws.js';
import { type WorklogState, WorklogStatus } from './state.js';

type Of<K extends WorklogCommand['kind']> = Extract<WorklogCommand, { readonly kind: K }>;

export function decideClosing(
  state: WorklogState,
  { outcome, payload }: Of<'close'>,
  stamp: Stamp,
): Decision {
  if (stamp.agent !== state.owner) return rejected(notOwner(state, 'close'));
  if (state.status === WorklogStatus.Completed) return accepted();
  const flaw = statusFlaw(state) ?? underWayFlaw(state);
  return flaw ? rejected(flaw) : accepted(draft(WorklogEntryType.Closed, stamp, { outcome }, payload));
}

export function decideReopening(state: WorklogState, { payload }: Of<'reopen'>, stamp: Stamp): Decision {
  if (stamp.agent !== state.owner) return rejected(notOwner(state, 'reopen'));
  if (state.status === WorklogStatus.Active) return accepted();
  const flaw = state.status === WorklogStatus.Completed ? roomFlaw(state) : statusFlaw(state);
  return flaw ? rejected(flaw) : accepted(draft(WorklogEntryType.Reopened, stamp, {}, payload));
}

const notOwner = ({ owner }: WorklogState, word: string) =>
  reject(RejectionCode.FORBIDDEN, `only the owner, ${named(owner)}, may ${word} it`);
