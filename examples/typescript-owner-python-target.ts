/**
 * The same handoff between two languages: this program is the owner, `python/examples/target.py` the target. They share
 * nothing but the runtime. PYTHON names the interpreter that has the Python SDK; without one the example says so and ends,
 * unless REQUIRE_PYTHON=1.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Auth, HandoffSession, MacpClient } from 'macp-sdk-typescript';

const address = process.env.HANDOVER_ADDRESS ?? '127.0.0.1:50051';
const inRepository = (path: string) => fileURLToPath(new URL(`../python/${path}`, import.meta.url));
const target = inRepository('examples/target.py');
const env = { ...process.env, PYTHONPATH: inRepository('src'), MACP_AGENT: 'py-target' };

const python = [process.env.PYTHON, inRepository('.venv/bin/python'), 'python3'].find(
  (candidate) => candidate && spawnSync(candidate, ['-c', 'import macp_sdk'], { env }).status === 0,
);
if (!python || !existsSync(target)) {
  console.log('skipped: the Python SDK or its target example is not available');
  process.exit(process.env.REQUIRE_PYTHON === '1' ? 1 : 0);
}

const client = new MacpClient({ address, auth: Auth.devAgent('ts-owner') });
const session = new HandoffSession(client);
await session.start({ intent: 'from TypeScript to Python', participants: ['py-target'], ttlMs: 60_000 });
await session.offer({ handoffId: 'h1', targetParticipant: 'py-target', scope: 'nightly-report' });
await session.sendContext({
  handoffId: 'h1',
  contentType: 'application/json',
  context: Buffer.from(JSON.stringify({ report: 'nightly', rows: 3 })),
});

const child = spawn(python, [target, address, session.sessionId, 'h1'], {
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const report = text(child.stdout);
const exited = once(child, 'exit');

// The target reads, accepts and waits for the Commitment; should it fail, nobody waits for its answer for ever.
const failed = new AbortController();
void exited.then(() => failed.abort());
for await (const _ of session.follow({ signal: failed.signal }))
  if (session.projection.isAccepted('h1')) break;
assert.equal(session.projection.getHandoff('h1')?.acceptedBy, 'py-target');
await session.commit();

assert.equal((await exited)[0], 0);
const { phase, content_type, outcome_positive } = JSON.parse(await report);
assert.deepEqual([phase, content_type, outcome_positive], ['Committed', 'application/json', true]);

console.log(`session ${session.sessionId}: ${session.projection.commitment?.reason}`);
client.close();
