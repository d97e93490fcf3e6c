/**
 * One handoff between two languages, over the wire: TypeScript owner with Python target, and the reverse. The sides are
 * separate processes and share nothing but the server.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Auth, commitmentHash, fileJournal, HandoffSession, MacpClient } from 'macp-sdk-typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServerProcess, startServerProcess } from '../kit/server-process.js';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { FIRST_INSTALL_MS, pythonInterpreter } from './run-python.js';

const inPython = (path: string) => fileURLToPath(new URL(`../../python/${path}`, import.meta.url));

let server: ServerProcess;
let python: string | undefined;

beforeAll(async () => {
  python = await pythonInterpreter();
  if (python) server = await startServerProcess();
}, FIRST_INSTALL_MS);

afterAll(() => server?.stop());

/** Lines of JSON that a Python program prints, and how it ended. */
function startPython(args: string[]) {
  const child: ChildProcess = spawn(python ?? 'python3', args, {
    env: { ...process.env, PYTHONPATH: inPython('src') },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  if (!child.stdout || !child.stderr || !child.stdin) throw new Error('no pipes');
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const exited = new Promise<number | null>((resolve) => child.on('close', resolve));
  return {
    input: child.stdin,
    kill() {
      child.kill('SIGKILL');
      return exited;
    },
    async line(): Promise<Record<string, unknown>> {
      const { value, done } = await lines.next();
      if (done) throw new Error(`the Python side ended early: ${errors}`);
      return JSON.parse(value);
    },
    async end(): Promise<number | null> {
      const code = await exited;
      if (code !== 0) throw new Error(`the Python side ended with ${code}: ${errors}`);
      return code;
    },
  };
}

async function followUntil(session: HandoffSession, done: () => boolean): Promise<void> {
  const signal = AbortSignal.timeout(30_000);
  for await (const _ of session.follow({ signal })) if (done()) return;
  throw new Error('the other side stayed silent');
}

describe('TypeScript and Python', () => {
  test('TypeScript owner, Python target', async ({ skip }) => {
    skip(!python, 'no Python');
    const client = new MacpClient({ address: server.grpc, auth: Auth.devAgent('ts-owner') });
    const session = new HandoffSession(client);
    await session.start({ intent: 'to Python', participants: ['py-target'], ttlMs: 60_000 });
    const target = startPython([inPython('examples/target.py'), server.grpc, session.sessionId, 'h1']);
    await session.offer({ handoffId: 'h1', targetParticipant: 'py-target', scope: 'nightly-report' });
    const context = Buffer.from([0, 1, 254, 255]);
    await session.sendContext({ handoffId: 'h1', contentType: 'application/x-notes', context });
    await followUntil(session, () => session.projection.isAccepted('h1'));
    await session.commit();

    expect(await target.line()).toEqual({
      language: 'python',
      agent: 'py-target',
      phase: 'Committed',
      content_type: 'application/x-notes',
      context_b64: context.toString('base64'),
      action: 'handoff.accepted',
      outcome_positive: true,
    });
    expect(await target.end()).toBe(0);
    expect(session.projection.getHandoff('h1')?.acceptedBy).toBe('py-target');
    client.close();
  });

  test('Python owner, TypeScript target', async ({ skip }) => {
    skip(!python, 'no Python');
    const owner = startPython([inPython('examples/owner.py'), server.grpc, 'ts-target']);
    const { session_id: sessionId, handoff_id: handoffId } = await owner.line();
    const client = new MacpClient({ address: server.grpc, auth: Auth.devAgent('ts-target') });
    const session = new HandoffSession(client, { sessionId: String(sessionId) });
    const { projection } = session;
    await followUntil(session, () => (projection.contexts.get(String(handoffId)) ?? []).length > 0);
    await session.acceptHandoff({ handoffId: String(handoffId) });

    expect(await owner.line()).toEqual({
      language: 'python',
      agent: 'py-owner',
      phase: 'Committed',
      disposition: 'accepted',
      answered_by: 'ts-target',
      reason: 'ts-target accepted nightly-report',
      outcome_positive: true,
    });
    expect(await owner.end()).toBe(0);
    await session.sync();
    const [context] = projection.contexts.get(String(handoffId)) ?? [];
    expect(Buffer.from(context?.context ?? []).toString()).toBe('{"report":"nightly","rows":3}');
    expect(Buffer.from(projection.frozenContext ?? []).toString()).toBe('{"shift":"night"}');
    expect(projection.isPositiveOutcome).toBe(true);
    client.close();
  });

  test('a journal is of one worker at a time, whichever language it is in', async ({ skip }) => {
    skip(!python, 'no Python');
    const path = join(temporaryFolder(), 'journal');
    const program = `
import json, os, sys
from handover_macp import MacpSdkError
from handover_macp.agent import file_journal
journal = file_journal(sys.argv[1])
try:
    journal.open()
    print(json.dumps({"pid": os.getpid(), "attempts": journal.attempts("s1", "h1")}), flush=True)
    journal.begin("s1", "h1", journal.attempts("s1", "h1") + 1)
    print("{}", flush=True)
    sys.stdin.read()
    journal.close()
except MacpSdkError as error:
    print(json.dumps({"refused": str(error)}), flush=True)`;
    const opened = () => {
      const journal = fileJournal(path);
      journal.open();
      return journal;
    };
    const inUseBy = (pid: unknown) => `the journal ${path} is in use by process ${pid}: one worker at a time`;
    const offer = { sessionId: 's1', handoffId: 'h1' };

    const killed = startPython(['-c', program, path]);
    const { pid, attempts } = await killed.line();
    expect(attempts).toBe(0);
    await killed.line();
    expect(opened).toThrow(inUseBy(pid));
    await killed.kill();
    const mine = opened();
    expect(mine.attempts(offer)).toBe(1);
    mine.begin(offer, 2);
    expect(await startPython(['-c', program, path]).line()).toEqual({
      refused: expect.stringContaining(inUseBy(process.pid)),
    });
    mine.close();
    const last = startPython(['-c', program, path]);
    expect(await last.line()).toMatchObject({ attempts: 2 });
    await last.line();
    expect(opened).toThrow('one worker at a time');
    last.input.end();
    expect(await last.end()).toBe(0);
    const again = opened();
    expect(again.attempts(offer)).toBe(3);
    again.close();
  });

  test('both give a Commitment the same hash', async ({ skip }) => {
    skip(!python, 'no Python');
    const commitment = {
      commitmentId: 'c-1',
      action: 'handoff.accepted',
      authorityScope: 'é\u2028\u007f"\\\n\u0001',
      reason: 'owner-b 👍',
      modeVersion: '1.0.0',
      policyVersion: '',
      configurationVersion: 'config.default',
      outcomePositive: true,
      supersedes: { sessionId: 's', commitmentHash: `sha256:${'0'.repeat(64)}` },
    };
    const program = `
import json, sys
from handover_macp import CommitmentRecord, CommitmentRef, commitment_hash
fields = json.loads(sys.argv[1])
fields["supersedes"] = CommitmentRef(**fields["supersedes"])
print(json.dumps({"hash": commitment_hash(CommitmentRecord(**fields))}))`;
    const snake = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const fields = JSON.stringify(commitment, (_, value) =>
      value !== null && typeof value === 'object'
        ? Object.fromEntries(Object.entries(value).map(([key, item]) => [snake(key), item]))
        : value,
    );
    const child = startPython(['-c', program, fields]);
    expect(await child.line()).toEqual({ hash: commitmentHash(commitment) });
  });
});
