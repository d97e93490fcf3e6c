import type { Said } from '../modes/mode-model.js';
import { type State, type TaskPolicy, taskModel } from '../modes/task-model.js';
import { withAuthority } from '../modes/variants.js';
import { OUTSIDE, ofMode, type Table } from './table.js';
import type { Row } from './walk.js';

const mode = 'Task';
const PLAIN: TaskPolicy = { reassign: false, output: false };
const RETURNABLE: TaskPolicy = { reassign: true, output: false };
const OUTPUT: TaskPolicy = { reassign: false, output: true };

const always = () => true;
/** The beginning is the same under every policy. */
const REQUESTED = {
  'nothing requested': ({ wanted }: State) => wanted === undefined,
  'requested of anybody': (state: State) => isFree(state) && state.wanted === '',
  'requested of one': (state: State) => isFree(state) && !state.before.includes(state.wanted ?? ''),
  'declined by the one': isFree,
  assigned: ({ holder, report }: State) => holder !== undefined && !report,
};
function isFree({ holder, after, report }: State): boolean {
  return holder === undefined && after.length === 0 && !report;
}

export const taskTables = (): readonly Table[] => [
  ofMode({ mode }, taskModel(PLAIN), { columns: { ...REQUESTED, reported: always }, row }),
  ofMode(
    { mode, under: 'work that may be given back', only: ['TaskAccept', 'TaskReject', 'Commitment'] },
    taskModel(RETURNABLE),
    {
      columns: {
        ...REQUESTED,
        'given back to anybody': ({ wanted, report }) => wanted === '' && !report,
        'given back by the one': ({ report }) => !report,
        reported: ({ holder }) => holder !== undefined,
        'reported and given back to anybody': ({ wanted }) => wanted === '',
        'reported and given back by the one': always,
      },
      row,
    },
  ),
  ofMode({ mode, under: 'an output that is required', only: ['Commitment'] }, taskModel(OUTPUT), {
    columns: {
      ...REQUESTED,
      'reported without an output': ({ report }) => report === 'no output',
      'reported with an output': always,
    },
    row,
  }),
  ofMode(
    { mode, under: OUTSIDE, only: ['Commitment', 'TaskAccept'] },
    withAuthority(taskModel(PLAIN), ['x']),
    { columns: { ...REQUESTED, reported: always }, row },
  ),
];

function row(state: State, { type, sender, fields }: Said, role: string): Row {
  if (type === 'TaskRequest') {
    const flawed = fields.taskId === '' || fields.requestedAssignee === 'x';
    return { message: flawed ? `${type}, without an id or for an outsider` : type, sender: role };
  }
  const who = standing(state, sender) ?? role;
  if (state.wanted !== undefined && fields.taskId !== 't')
    return { message: `${type}, another task`, sender: who };
  const { assignee = '' } = fields;
  const isNamed = assignee === '' || assignee === sender;
  return { message: isNamed ? type : `${type}, in another name`, sender: who };
}

function standing({ wanted, holder, before, after }: State, sender: string): string | undefined {
  if (sender === holder) return 'assignee';
  if ([...before, ...after].includes(sender)) return 'who has rejected it';
  return sender === wanted ? 'requested assignee' : undefined;
}
