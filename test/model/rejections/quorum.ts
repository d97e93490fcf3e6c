import type { Said } from '../modes/mode-model.js';
import { quorumModel, type State } from '../modes/quorum-model.js';
import { withAuthority } from '../modes/variants.js';
import { OUTSIDE, ofMode, type Table } from './table.js';
import type { Row } from './walk.js';

export function quorumTables(): readonly Table[] {
  const model = quorumModel();
  const columns = {
    'nothing asked': ({ required }: State) => required === undefined,
    'within reach': (state: State) => model.commit(state, false) !== 'ok',
    reached: (state: State) => model.commit(state, true) === 'ok',
    'out of reach': () => true,
  };
  return [
    ofMode({ mode: 'Quorum' }, model, { columns, row: (...asked) => row(model.participants, ...asked) }),
    ofMode({ mode: 'Quorum', under: OUTSIDE, only: ['Commitment', 'Approve'] }, withAuthority(model, ['x']), {
      columns,
      row: (...asked) => row(model.participants, ...asked),
    }),
  ];
}

function row(
  participants: readonly string[],
  { ballots, required }: State,
  { type, sender, fields }: Said,
  role: string,
): Row {
  const who = sender in ballots ? 'participant who has a ballot' : role;
  if (type === 'ApprovalRequest') {
    const wanted = Number(fields.requiredApprovals);
    const sound = fields.requestId !== '' && wanted >= 1 && wanted <= participants.length;
    return { message: sound ? type : `${type}, without an id or out of range`, sender: role };
  }
  const isOther = required !== undefined && fields.requestId !== 'r';
  return { message: isOther ? `${type}, another request` : type, sender: who };
}
