import { type DecisionPolicy, decisionModel, type State } from '../modes/decision-model.js';
import type { Said } from '../modes/mode-model.js';
import { withAuthority } from '../modes/variants.js';
import { OUTSIDE, ofMode, type Table } from './table.js';
import type { Row } from './walk.js';

const mode = 'Decision';
const MAJORITY: DecisionPolicy = { schema: 3, algorithm: 'majority', evaluation: { minimum: 0 } };
const VETO: DecisionPolicy = { schema: 3, veto: { threshold: 1, action: 'finalize_decline' } };

const WORDS: Readonly<Record<string, readonly string[]>> = {
  Evaluation: ['APPROVE', 'REVIEW', 'BLOCK', 'REJECT'],
  Objection: ['low', 'medium', 'high', 'critical'],
  Vote: ['APPROVE', 'REJECT', 'ABSTAIN'],
};

const isEmpty = ({ proposals }: State) => proposals.length === 0;
const isVoting = ({ votes }: State) => Object.keys(votes).length > 0;
const isEvaluated = ({ best }: State) => best >= 0;
const isObjected = ({ critical }: State) => critical > 0;
const always = () => true;
/** Approvals less rejections; undefined while nobody has decided. */
function lead({ votes }: State): number | undefined {
  const words = Object.values(votes).filter((word) => word !== 'ABSTAIN');
  if (words.length === 0) return undefined;
  return words.reduce((sum, word) => sum + (word === 'APPROVE' ? 1 : -1), 0);
}

export const decisionTables = (): readonly Table[] => [
  ofMode({ mode }, decisionModel({ schema: 1 }), {
    columns: {
      'nothing proposed': isEmpty,
      proposed: (state) => !isVoting(state) && !isEvaluated(state) && !isObjected(state),
      'evaluated or objected to': (state) => !isVoting(state),
      voting: always,
    },
    row,
  }),
  ofMode({ mode, under: 'a majority, after an evaluation', only: ['Commitment'] }, decisionModel(MAJORITY), {
    columns: {
      'nothing proposed': isEmpty,
      'not evaluated': (state) => !isEvaluated(state),
      'evaluated; nobody has decided': (state) => lead(state) === undefined,
      'evaluated; half or more approve': (state) => (lead(state) ?? 0) >= 0,
      'evaluated; most reject': always,
    },
    row,
  }),
  ofMode(
    { mode, under: 'critical objections that finalize a decline', only: ['Commitment'] },
    decisionModel(VETO),
    {
      columns: {
        'nothing proposed': isEmpty,
        'no critical objection': (state) => !isObjected(state),
        'a critical objection': always,
      },
      row,
    },
  ),
  ofMode(
    { mode, under: OUTSIDE, only: ['Commitment', 'Proposal'] },
    withAuthority(decisionModel({ schema: 1 }), ['x']),
    { columns: { 'nothing proposed': isEmpty, proposed: (state) => !isVoting(state), voting: always }, row },
  ),
];

function row({ proposals, votes }: State, { type, sender, fields }: Said, role: string): Row {
  const id = String(fields.proposalId);
  if (type === 'Proposal') {
    const blank = id === '' || String(fields.option).trim() === '';
    const what = blank ? ', id or option blank' : proposals.includes(id) ? ', id used' : '';
    return { message: `Proposal${what}`, sender: role };
  }
  const word = String(fields.recommendation ?? fields.severity ?? fields.vote);
  if (WORDS[type]?.includes(word) !== true || Number(fields.confidence ?? 0) > 1)
    return { message: `${type}, no such word or value`, sender: role };
  if (!proposals.includes(id)) return { message: `${type}, unknown proposal`, sender: role };
  const hasVoted = type === 'Vote' && `${id} ${sender}` in votes;
  return { message: type, sender: hasVoted ? 'participant who has voted on it' : role };
}
