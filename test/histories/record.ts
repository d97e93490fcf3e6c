// node --import tsx test/histories/record.ts <version>: records one log of each kind of story, once per release. The
// files are never regenerated: every later version must replay them to the same state.
import { mkdirSync, writeFileSync } from 'node:fs';
import { canonicalJson, exportOf, type SessionState, stateHash } from '@handover/core';
import { nodeCodec } from '../../packages/server/src/platform/node-codec.js';
import { accept, commit, context, decline, envelope, offer, start } from '../support/envelopes.js';
import { createTestRuntime, sessionStream, type TestRuntime } from '../support/runtime.js';

type Story = (runtime: TestRuntime, id: string) => Promise<void>;

const say = async (runtime: TestRuntime, ...messages: readonly ReturnType<typeof start>[]): Promise<void> => {
  for (const message of messages) {
    runtime.clock.now += 10;
    const ack = await runtime.send(message);
    if (!ack.ok) throw new Error(`${message.messageType}: ${ack.error?.message}`);
  }
};
const steer = async (
  runtime: TestRuntime,
  id: string,
  control: 'cancel' | 'suspend' | 'resume',
  after: number,
) => {
  runtime.clock.now += after;
  await runtime.sessions.control(runtime.principal('owner'), id, control, 'because');
};
const policy = async (runtime: TestRuntime, policyId: string, acceptance: Record<string, number>) => {
  const mode = 'macp.mode.handoff.v1';
  const rules = { acceptance };
  const flaw = await runtime.registries.registerPolicy(runtime.principal('owner'), {
    policyId,
    mode,
    description: '',
    schemaVersion: 1,
    rules,
  });
  if (flaw) throw new Error(flaw.message);
};

const stories: Readonly<Record<string, Story>> = {
  committed: async (runtime, id) =>
    say(
      runtime,
      start(id),
      offer(id, 'h1', 'a'),
      context(id, 'h1'),
      accept(id, 'h1', 'a'),
      context(id, 'h1', 'late'),
      commit(id),
    ),
  'declined-then-accepted': async (runtime, id) =>
    say(
      runtime,
      start(id),
      offer(id, 'h1', 'a'),
      decline(id, 'h1', 'a'),
      offer(id, 'h2', 'b'),
      accept(id, 'h2', 'b'),
      commit(id),
    ),
  'negative-outcome': async (runtime, id) =>
    say(
      runtime,
      start(id),
      offer(id, 'h1', 'a'),
      decline(id, 'h1', 'a'),
      commit(id, 'owner', { action: 'handoff.declined', outcomePositive: false }),
    ),
  'suspended-and-cancelled': async (runtime, id) => {
    await say(runtime, start(id), offer(id, 'h1', 'a'));
    await steer(runtime, id, 'suspend', 1_000);
    await steer(runtime, id, 'resume', 5_000);
    await steer(runtime, id, 'cancel', 1_000);
  },
  'implicit-accept-then-expired': async (runtime, id) => {
    await policy(runtime, 'policy.silence', { implicit_accept_timeout_ms: 1_000 });
    await say(runtime, start(id, 'owner', { policyVersion: 'policy.silence' }), offer(id, 'h1', 'a'));
    runtime.clock.now += 120_000;
    await runtime.state(id);
  },
  'extension-mode': async (runtime, id) => {
    const mode = 'ext.chat.v1';
    const descriptor = {
      mode,
      modeVersion: '1',
      title: '',
      description: '',
      determinismClass: '',
      participantModel: '',
      messageTypes: ['SessionStart', 'Say', 'Commitment'],
      terminalMessageTypes: ['Commitment'],
      schemaUris: {},
    };
    await runtime.registries.changeModes(runtime.principal('owner'), { kind: 'register', descriptor });
    const said = {
      ...envelope(id, 'a', 'Signal', {
        signalType: 'x',
        data: new Uint8Array(0),
        confidence: 0,
        correlationSessionId: '',
      }),
      messageType: 'Say',
      mode,
    };
    await say(runtime, { ...start(id, 'owner', { modeVersion: '1' }), mode }, said, {
      ...commit(id, 'owner', { modeVersion: '1', action: 'done' }),
      mode,
    });
  },
};

const version = process.argv[2];
if (!version) throw new Error('say which version');
const folder = new URL(`./${version}/`, import.meta.url);
mkdirSync(folder, { recursive: true });
const pins: Record<string, string> = {};
for (const [name, story] of Object.entries(stories)) {
  const runtime = createTestRuntime();
  const id = `history-${name}`.padEnd(22, '-');
  await story(runtime, id);
  const entries = await runtime.store.read(sessionStream(id), 0, { entries: 1_000, bytes: 1e9 });
  writeFileSync(
    new URL(`${name}.json`, folder),
    `${canonicalJson(exportOf(sessionStream(id), entries, nodeCodec))}\n`,
  );
  pins[name] = stateHash((await runtime.state(id)) as SessionState, nodeCodec);
}
writeFileSync(new URL('state-hashes.json', folder), `${JSON.stringify(pins, null, 2)}\n`);
