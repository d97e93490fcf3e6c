import { multiRoundModel, type State } from '../modes/multi-round-model.js';
import { ofMode, type Table } from './table.js';

export function multiRoundTables(): readonly Table[] {
  const model = multiRoundModel();
  return [
    ofMode({ mode: 'Multi-round' }, model, {
      columns: {
        'nothing contributed': ({ round }: State) => round === 0,
        'values differ or are missing': (state) => model.commit(state, true) !== 'ok',
        'all hold one value': () => true,
      },
      row: (_, { type, fields }, role) => ({
        message: fields.value === '' ? `${type}, empty` : type,
        sender: role,
      }),
    }),
  ];
}
