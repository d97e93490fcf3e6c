/** resume as two assistants of one machine call it: real pipes, one server, one project. */
import { expect, it } from 'vitest';
import { call } from '../kit/mcp-clients.js';
import { run, useAssistants } from './support.js';

const { folder, open } = useAssistants();
const connect = (agent: string) => open({ args: ['--agent', agent] });

const goal = 'The nightly import must finish before 06:00, measured on the replica three nights in a row.';

it('assistants:H1 assistants:R6 an offer in one call, taken with one call, and taken again is the same', async () => {
  const [claude, codex] = [await connect('claude'), await connect('codex')];
  expect(await call(codex, 'resume')).toMatchObject({ kind: 'nothing', yours: false, others: [] });
  const handed = await call(claude, 'handOff', { to: 'codex', goal, next: ['Create the index'] });
  const { sessionKey, handoffId } = handed;
  const looked = await call(codex, 'resume');
  expect(looked).toMatchObject({ kind: 'offer', yours: false, phase: 'offered', from: 'claude', handoffId });
  expect(looked.brief.text).toContain(goal);
  expect(looked.others).toEqual([]);
  const taken = await call(codex, 'resume', { accept: true });
  expect(taken).toMatchObject({ kind: 'offer', yours: true, sessionKey, phase: 'committed', owner: 'codex' });
  expect(taken.brief).toEqual(looked.brief);
  expect(await call(codex, 'resume', { accept: true, handoffId })).toMatchObject({
    yours: true,
    replayed: true,
  });
  const late = { sessionKey, contextType: 'message', content: 'late' };
  expect(await call(claude, 'updateContext', late)).toMatchObject({ errorCode: 'FORBIDDEN' });
  expect(await call(codex, 'updateContext', { ...late, content: 'mine' })).toMatchObject({ success: true });
});

it('assistants:K5 what was left for anyone is picked up once, and not by its owner’s next entry', async () => {
  const [claude, codex, gemini] = [await connect('c1'), await connect('c2'), await connect('c3')];
  const { sessionKey } = await call(claude, 'handOff', { goal, next: ['Go on'] });
  expect(await call(codex, 'resume')).toMatchObject({ kind: 'parked', yours: false, sessionKey, from: 'c1' });
  const both = await Promise.all(
    [codex, gemini].map((one) => call(one, 'resume', { accept: true, sessionKey })),
  );
  expect(both.filter(({ yours }) => yours === true)).toHaveLength(1);
  expect(both.filter(({ success }) => success !== true)).toHaveLength(1);

  const kept = await call(claude, 'handOff', { goal: `${goal} Again.`, next: ['Go on'] });
  await call(claude, 'updateContext', {
    sessionKey: kept.sessionKey,
    contextType: 'message',
    content: 'I go on myself',
  });
  expect(await call(gemini, 'resume', { sessionKey: kept.sessionKey, accept: true })).toMatchObject({
    errorCode: 'FORBIDDEN',
  });
});

it('an offer that has ended is a conflict, and names its phase', async () => {
  const [giver, getter] = [await connect('giver'), await connect('getter')];
  const { handoffId } = await call(giver, 'handOff', { to: 'getter', goal, next: ['Go on'] });
  await call(getter, 'declineHandoff', { handoffId, reason: 'no time' });
  for (const accept of [false, true])
    expect(await call(getter, 'resume', { handoffId, accept })).toMatchObject({
      errorCode: 'CONFLICT',
      details: { phase: 'declined' },
    });
  expect(await call(getter, 'resume')).toMatchObject({ kind: 'nothing' });
});

it('the goal and the next step of a handOff stand in the list, and in what a new conversation is told', async () => {
  const [teller, reader] = [await connect('teller'), await connect('reader')];
  const { sessionKey } = await call(teller, 'handOff', { to: 'reader', goal, next: ['Create the index'] });
  const { sessions } = await call(teller, 'listSessions', {});
  const row = sessions.find((one: { sessionKey: string }) => one.sessionKey === sessionKey);
  expect(row.title).toBe(`${goal.slice(0, 79)}…`);
  const hook = ['hook', 'session-start', '--client', 'codex', '--agent', 'reader', '--data-dir', folder];
  const input = JSON.stringify({
    session_id: 's-1',
    hook_event_name: 'SessionStart',
    source: 'startup',
    cwd: process.cwd(),
  });
  const { stdout } = await run(hook, { input });
  expect(JSON.parse(stdout).hookSpecificOutput.additionalContext).toContain(
    `${sessionKey} from teller, just now: ${JSON.stringify(goal)} next: "Create the index"`,
  );
  await call(reader, 'resume', { accept: true });
});

it('assistants:R1 assistants:K1 an own session is gone on with in a new window, and opened again when it was closed', async () => {
  const first = await connect('solo');
  const { sessionKey } = await call(first, 'handOff', { goal, next: ['Measure'] });
  const second = await connect('solo');
  const own = await call(second, 'resume', { accept: true });
  expect(own).toMatchObject({ kind: 'own', yours: true, sessionKey, phase: 'active' });
  expect(own.brief.text).toContain('Measure');
  // It is its owner's again, and not for whoever comes.
  const other = await connect('stranger');
  expect(await call(other, 'resume', { accept: true, sessionKey })).toMatchObject({
    errorCode: 'FORBIDDEN',
  });
  await call(second, 'closeSession', { sessionKey, summary: 'measured' });
  const write = { sessionKey, contextType: 'message', content: 'more' };
  expect(await call(second, 'updateContext', write)).toMatchObject({ errorCode: 'SESSION_EXPIRED' });
  expect(await call(second, 'resume', { sessionKey, accept: true })).toMatchObject({
    kind: 'own',
    phase: 'active',
  });
  expect(await call(second, 'updateContext', write)).toMatchObject({ success: true });
});
