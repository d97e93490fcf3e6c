import { DEFAULT_RULES, type PolicyRules } from '../handoff-model.js';
import { ofHandoff, type Table } from './table.js';

const mode = 'Handoff';
const DESIGNATED: PolicyRules = {
  ...DEFAULT_RULES,
  authority: 'designated_role',
  designated: ['x'],
  allowNoTarget: true,
};

export const handoffTables = (): readonly Table[] => [
  ofHandoff({ mode }, DEFAULT_RULES),
  ofHandoff(
    {
      mode,
      under: 'one from outside who commits, also without a target',
      only: ['Commitment', 'any other type'],
    },
    DESIGNATED,
  ),
  ...(['accept', 'decline'] as const).map((silence) =>
    ofHandoff(
      {
        mode,
        under: `silence that means ${silence}`,
        only: ['HandoffAccept', 'HandoffDecline', 'Commitment'],
      },
      { ...DEFAULT_RULES, silence },
    ),
  ),
];
