/** A second reading of Task Mode, from macp-2026 section 9. */
import { Denied, fromEach, type ModeModel, type Refusal, type Said } from './mode-model.js';

export interface TaskPolicy {
  readonly reassign: boolean;
  readonly output: boolean;
}

export interface State {
  /** Undefined: no task yet; empty: for anybody. */
  readonly wanted?: string;
  readonly holder?: string;
  /** Who rejected it: before it was assigned to them, or after. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly report?: 'output' | 'no output';
}

const PEOPLE = ['owner', 'a', 'b'];

export function taskModel(policy: TaskPolicy, people: readonly string[] = PEOPLE): ModeModel<State> {
  return {
    mode: 'macp.mode.task.v1',
    owner: 'owner',
    participants: people,
    rules: {
      assignment: { allow_reassignment_on_reject: policy.reassign },
      completion: { require_output: policy.output },
    },
    schemaVersion: 3,
    committers: ['owner'],
    initial: { before: [], after: [] },
    messages: messages(people),
    hears: (type, sender) => (type === 'TaskRequest' ? sender === 'owner' : people.includes(sender)),
    step: (state, said) => step(state, said, policy, people),
    commit: (state, positive) => commit(state, positive, policy),
    phase: ({ wanted, holder, before, after, report }) => {
      if (wanted === undefined) return 'Pending';
      if (report) return 'Reported';
      if (holder !== undefined) return 'InProgress';
      if (after.length > 0) return 'GivenBack';
      return wanted !== '' && before.includes(wanted) ? 'Declined' : 'Requested';
    },
    key: ({ wanted, holder, before, after, report }) =>
      JSON.stringify([wanted ?? null, holder ?? null, [...before].sort(), [...after].sort(), report ?? null]),
    keyOfView,
  };
}

function messages(people: readonly string[]): readonly Said[] {
  const everybody = [...people, 'x'];
  const named = ['TaskAccept', 'TaskReject', 'TaskComplete', 'TaskFail'];
  return [
    ...fromEach(
      everybody,
      'TaskRequest',
      ['', 'a', 'owner', 'x'].map((requestedAssignee) => ({ taskId: 't', requestedAssignee })),
    ),
    ...fromEach(['owner'], 'TaskRequest', [{ taskId: '' }]),
    ...named.flatMap((type) =>
      fromEach(everybody, type, [
        { taskId: 't' },
        { taskId: 'u' },
        { taskId: 't', assignee: 'a' },
        { taskId: 't', assignee: 'b' },
      ]),
    ),
    ...fromEach(everybody, 'TaskComplete', [{ taskId: 't', output: Uint8Array.of(1) }]),
    ...fromEach(everybody, 'TaskUpdate', [{ taskId: 't' }, { taskId: 'u' }]),
    ...fromEach(everybody, 'Unknown', [{}]),
  ];
}

function step(state: State, said: Said, policy: TaskPolicy, people: readonly string[]): State | Refusal {
  const { type, sender, fields } = said;
  if (type === 'TaskRequest') return request(state, said, people);
  const known = ['TaskAccept', 'TaskReject', 'TaskUpdate', 'TaskComplete', 'TaskFail'].includes(type);
  if (!known || state.wanted === undefined || fields.taskId !== 't') return 'INVALID_ENVELOPE';
  const otherName = (fields.assignee ?? '') !== '' && fields.assignee !== sender;
  const rejected = [...state.before, ...state.after].includes(sender);
  const eligible = state.wanted === '' ? sender !== 'owner' : sender === state.wanted;
  switch (type) {
    case 'TaskAccept':
      // Whoever took it after the report could say nothing.
      if (state.holder !== undefined || state.report || rejected) return 'INVALID_ENVELOPE';
      if (state.after.length > 0 && !policy.reassign) return new Denied('reassignment_not_allowed');
      if (otherName) return 'INVALID_ENVELOPE';
      return eligible ? { ...state, holder: sender } : 'FORBIDDEN';
    case 'TaskReject': {
      if (state.holder !== undefined) {
        if (state.holder !== sender) return 'INVALID_ENVELOPE';
        if (!policy.reassign) return new Denied('reassignment_not_allowed');
      } else if (!eligible) return 'FORBIDDEN';
      if (otherName || rejected) return 'INVALID_ENVELOPE';
      if (state.holder === undefined) return { ...state, before: [...state.before, sender] };
      const { holder: _, ...rest } = state;
      return { ...rest, after: [...state.after, sender] };
    }
    default: {
      if (state.holder !== sender || state.report) return 'FORBIDDEN';
      if (type === 'TaskUpdate') return state;
      if (otherName) return 'INVALID_ENVELOPE';
      return { ...state, report: fields.output === undefined ? 'no output' : 'output' };
    }
  }
}

function request(state: State, { fields }: Said, people: readonly string[]): State | Refusal {
  const wanted = String(fields.requestedAssignee ?? '');
  const sound =
    state.wanted === undefined && String(fields.taskId).trim() !== '' && ['', ...people].includes(wanted);
  return sound ? { ...state, wanted } : 'INVALID_ENVELOPE';
}

function commit(state: State, positive: boolean, policy: TaskPolicy): 'ok' | Refusal {
  const { wanted, holder, before, report } = state;
  const declined = wanted !== undefined && wanted !== '' && before.includes(wanted) && holder === undefined;
  if (!report && !(declined && !positive)) return 'INVALID_ENVELOPE';
  return positive && policy.output && report !== 'output' ? new Denied('output_required') : 'ok';
}

interface View {
  readonly task?: {
    readonly requested_assignee: string;
    readonly assignee?: string;
    readonly declined: readonly string[];
    readonly returned: readonly string[];
    readonly report?: { readonly output: boolean };
  };
}

function keyOfView(view: unknown): string {
  const { task } = view as View;
  const report = task?.report && (task.report.output ? 'output' : 'no output');
  return JSON.stringify([
    task?.requested_assignee ?? null,
    task?.assignee ?? null,
    [...(task?.declined ?? [])].sort(),
    [...(task?.returned ?? [])].sort(),
    report ?? null,
  ]);
}
