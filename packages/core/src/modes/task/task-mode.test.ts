/** Task Mode, rule by rule; the names cite docs/spec/macp-2026.md. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../log/json.js';
import { ModeSession } from '../mode-session.test.helper.js';

const [NO, BAD, DENIED] = ['FORBIDDEN', 'INVALID_ENVELOPE', 'POLICY_DENIED'];
const AGAIN = { assignment: { allow_reassignment_on_reject: true } };
const session = (rules: JsonObject = {}, participants = ['owner', 'a', 'b']) =>
  new ModeSession({ mode: 'macp.mode.task.v1', participants, rules });
const say = (on: ModeSession, sender: string, type: string, fields: object = {}) =>
  on.say(sender, type, { taskId: 't', ...fields });

function requested(rules: JsonObject = {}, requestedAssignee = '', participants?: string[]) {
  const on = session(rules, participants);
  expect(say(on, 'owner', 'TaskRequest', { requestedAssignee })).toBe('ok');
  return on;
}

function assigned(rules: JsonObject = {}, requestedAssignee = '') {
  const on = requested(rules, requestedAssignee);
  expect(say(on, 'a', 'TaskAccept')).toBe('ok');
  return on;
}

describe('Task Mode, who may speak', () => {
  it('macp-2026:9.2 needs somebody besides the initiator, who need not be listed', () => {
    expect(session({}, ['owner']).started).toBe(BAD);
    expect(session({}, []).started).toBe(BAD);
    expect(session({}, ['a']).started).toBe('ok');
    expect(say(session({}, ['a']), 'owner', 'TaskRequest')).toBe('ok');
  });

  it('macp-2026:9.2 lets the initiator give the task, and listed participants answer', () => {
    expect(say(session(), 'a', 'TaskRequest')).toBe(NO);
    const on = requested({}, '', ['a', 'b']);
    for (const type of ['TaskAccept', 'TaskReject', 'TaskUpdate', 'TaskComplete', 'TaskFail'])
      for (const sender of ['owner', 'x']) expect(say(on, sender, type)).toBe(NO);
    expect(say(on, 'a', 'Teleport')).toBe(BAD);
  });
});

describe('Task Mode, message by message', () => {
  it('macp-2026:9.3 has one task, with an id, for a participant if for somebody', () => {
    const on = session();
    expect(say(on, 'owner', 'TaskRequest', { taskId: '' })).toBe(BAD);
    expect(say(on, 'owner', 'TaskRequest', { requestedAssignee: 'x' })).toBe(BAD);
    expect(on.sayBytes('owner', 'TaskRequest', Uint8Array.of(0xff))).toBe(BAD);
    expect(say(on, 'owner', 'TaskRequest', { requestedAssignee: 'b' })).toBe('ok');
    expect(say(on, 'owner', 'TaskRequest', { taskId: 'u' })).toBe(BAD);
  });

  it('macp-2026:9.3 refuses every later message about another task', () => {
    for (const type of ['TaskAccept', 'TaskReject', 'TaskUpdate', 'TaskComplete', 'TaskFail']) {
      expect(say(session(), 'a', type)).toBe(BAD);
      expect(say(requested(), 'a', type, { taskId: 'u' })).toBe(BAD);
      expect(say(assigned(), 'a', type, { taskId: 'u' })).toBe(BAD);
    }
  });

  it('macp-2026:9.3 TaskAccept: eligible is the requested one, else anybody but the initiator', () => {
    expect(say(requested({}, 'b'), 'a', 'TaskAccept')).toBe(NO);
    expect(say(requested({}, 'b'), 'b', 'TaskAccept')).toBe('ok');
    expect(say(requested({}, 'owner'), 'owner', 'TaskAccept')).toBe('ok');
    expect(say(requested(), 'owner', 'TaskAccept')).toBe(NO);
    expect(say(requested(), 'a', 'TaskAccept')).toBe('ok');
  });

  it('macp-2026:9.3 TaskAccept: once, by the named one, and not after a rejection of one’s own', () => {
    expect(say(assigned(), 'b', 'TaskAccept')).toBe(BAD);
    expect(say(requested(), 'a', 'TaskAccept', { assignee: 'b' })).toBe(BAD);
    expect(say(requested(), 'a', 'TaskAccept', { assignee: 'a' })).toBe('ok');
    const declined = requested();
    expect(say(declined, 'a', 'TaskReject')).toBe('ok');
    expect(say(declined, 'a', 'TaskAccept')).toBe(BAD);
    expect(say(declined, 'b', 'TaskAccept')).toBe('ok');
  });

  it('macp-2026:9.3 TaskAccept: checks the assignee field before eligibility', () => {
    expect(say(requested({}, 'b'), 'a', 'TaskAccept', { assignee: 'b' })).toBe(BAD);
  });

  it('macp-2026:9.3 TaskReject without an assignee is a decline of one’s own', () => {
    expect(say(requested({}, 'b'), 'a', 'TaskReject')).toBe(NO);
    expect(say(requested(), 'owner', 'TaskReject')).toBe(NO);
    const on = requested();
    expect(say(on, 'a', 'TaskReject', { assignee: 'b' })).toBe(BAD);
    expect(say(on, 'a', 'TaskReject')).toBe('ok');
    expect(say(on, 'a', 'TaskReject')).toBe(BAD);
    expect(say(on, 'b', 'TaskReject')).toBe('ok');
  });

  it('macp-2026:9.3 TaskReject of taken work: its assignee alone, and only where the policy allows it', () => {
    expect(say(assigned(AGAIN), 'b', 'TaskReject')).toBe(BAD);
    expect(say(assigned(), 'b', 'TaskReject')).toBe(BAD);
    const on = assigned();
    expect(say(on, 'a', 'TaskReject')).toBe(DENIED);
    expect(on.denials.map(({ code }) => code)).toEqual(['reassignment_not_allowed']);
    const again = assigned(AGAIN);
    expect(say(again, 'a', 'TaskReject')).toBe('ok');
    expect(say(again, 'a', 'TaskAccept')).toBe(BAD);
    expect(say(again, 'b', 'TaskAccept')).toBe('ok');
    expect(say(again, 'a', 'TaskComplete')).toBe(NO);
    expect(say(again, 'b', 'TaskComplete')).toBe('ok');
    expect(again.replayed()).toEqual(again.state);
  });

  it('macp-2026:9.3 TaskAccept after taken work was given back needs the policy too', async () => {
    const { decideTask } = await import('./rules.js');
    const { STRICTEST_TASK_RULES } = await import('./policy-rules.js');
    const { testCodec } = await import('../mode-session.test.helper.js');
    const { taskPayloads } = await import('./payloads.js');
    const task = { taskId: 't', requestedAssignee: '', declined: [], returned: ['a'], updates: 0 };
    const payload = testCodec.encode(taskPayloads.TaskAccept, { taskId: 't', assignee: '', reason: '' });
    const decision = decideTask(
      { task },
      {
        macpVersion: '1.0',
        mode: '',
        messageType: 'TaskAccept',
        messageId: 'm',
        sessionId: '',
        sender: 'b',
        timestampUnixMs: 0,
        payload,
      },
      {
        participants: ['a', 'b'],
        initiator: 'owner',
        rules: STRICTEST_TASK_RULES,
        policy: { policyId: 'p', schemaVersion: 1 },
        rev: 5,
      },
      testCodec,
    );
    expect(decision).toMatchObject({
      rejection: { code: DENIED, denials: [{ code: 'reassignment_not_allowed' }] },
    });
  });

  it.each(['TaskComplete', 'TaskFail'])(
    'macp-2026:9.3 nobody takes what was given back after its %s',
    (end) => {
      const on = assigned(AGAIN);
      say(on, 'a', end);
      expect(say(on, 'a', 'TaskReject')).toBe('ok');
      for (const sender of ['a', 'b', 'owner']) expect(say(on, sender, 'TaskAccept')).toBe(BAD);
      expect(on.why).toMatch(/^the task is (completed|failed); nothing is left to take/);
      expect(on.commit(true)).toBe('ok');
    },
  );

  it('macp-2026:4.6 in a session of before it is taken, though nothing can be done with it', () => {
    const on = new ModeSession({
      mode: 'macp.mode.task.v1',
      participants: ['owner', 'a', 'b'],
      rules: AGAIN,
      rev: 4,
    });
    say(on, 'owner', 'TaskRequest');
    for (const type of ['TaskAccept', 'TaskFail', 'TaskReject']) expect(say(on, 'a', type)).toBe('ok');
    expect(say(on, 'b', 'TaskAccept')).toBe('ok');
    expect(on.replayed()).toEqual(on.state);
  });

  it('macp-2026:9.3 only the assignee reports, and nothing after the terminal report', () => {
    for (const type of ['TaskUpdate', 'TaskComplete', 'TaskFail']) {
      expect(say(requested(), 'a', type)).toBe(NO);
      expect(say(assigned(), 'b', type)).toBe(NO);
      for (const end of ['TaskComplete', 'TaskFail']) {
        const on = assigned();
        expect(say(on, 'a', 'TaskUpdate', { progress: 0.5 })).toBe('ok');
        expect(say(on, 'a', end)).toBe('ok');
        expect(say(on, 'a', type)).toBe(NO);
        expect(on.state?.status).toBe('OPEN');
      }
    }
    for (const type of ['TaskComplete', 'TaskFail'])
      expect(say(assigned(), 'a', type, { assignee: 'b' })).toBe(BAD);
  });
});

describe('Task Mode, when it may be committed', () => {
  it('macp-2026:9.3 needs a terminal report, which does not bind the outcome', () => {
    expect(session().commit(true)).toBe(BAD);
    expect(assigned().commit(false)).toBe(BAD);
    for (const end of ['TaskComplete', 'TaskFail'])
      for (const outcome of [true, false]) {
        const on = assigned();
        say(on, 'a', end);
        expect(on.commit(outcome)).toBe('ok');
      }
  });

  it('macp-2026:9.3 may end negatively when the one it was meant for declined before it was assigned', () => {
    const on = requested({}, 'a');
    expect(on.commit(false)).toBe(BAD);
    say(on, 'a', 'TaskReject');
    expect(on.commit(true)).toBe(BAD);
    expect(on.commit(false)).toBe('ok');
    const open = requested();
    say(open, 'a', 'TaskReject');
    say(open, 'b', 'TaskReject');
    expect(open.commit(false)).toBe(BAD);
    const returned = assigned(AGAIN, 'a');
    say(returned, 'a', 'TaskReject');
    expect(returned.commit(false)).toBe(BAD);
  });

  it('macp-2026:9.3 says so where nobody is left who could take it', () => {
    const deadEnd =
      'the task is neither completed nor failed, and nobody is left who may take it: cancel the session';
    const open = requested();
    say(open, 'a', 'TaskReject');
    open.commit(false);
    expect(open.why).toBe('the task is neither completed nor failed');
    say(open, 'b', 'TaskReject');
    const returned = assigned(AGAIN, 'a');
    say(returned, 'a', 'TaskReject');
    for (const on of [open, returned])
      for (const outcome of [true, false]) {
        expect(on.commit(outcome)).toBe(BAD);
        expect(on.why).toBe(deadEnd);
      }
  });

  it('macp-2026:9.3 require_output asks a positive outcome for an output of TaskComplete', () => {
    const rules = { completion: { require_output: true } };
    const ended = (type: string, fields: object = {}) => {
      const on = assigned(rules);
      expect(say(on, 'a', type, fields)).toBe('ok');
      return on;
    };
    expect(ended('TaskComplete').denied(true)).toEqual(['output_required']);
    expect(ended('TaskFail').denied(true)).toEqual(['output_required']);
    expect(ended('TaskComplete', { output: Uint8Array.of(1) }).denied(true)).toBe('ok');
    expect(ended('TaskFail').denied(false)).toBe('ok');
  });
});
