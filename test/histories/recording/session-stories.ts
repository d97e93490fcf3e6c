/** Sessions over MACP, one of each kind. */
import { accept, commit, context, decline, envelope, offer, start } from '../../kit/envelopes.js';
import { createTestRuntime, sessionStream, type TestRuntime } from '../../support/runtime.js';
import type { Stories } from './story.js';

type Tell = (runtime: TestRuntime, id: string) => Promise<void>;

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

const told: Readonly<Record<string, Tell>> = {
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

/** A session story in a runtime of its own. */
const about =
  (tell: Tell): Stories[string] =>
  async (name) => {
    const runtime = createTestRuntime();
    const id = `history-${name}`.padEnd(22, '-');
    await tell(runtime, id);
    // What is due is recorded first.
    await runtime.state(id);
    const ref = sessionStream(id);
    return [{ name, ref, entries: await runtime.store.read(ref, 0, { entries: 1_000, bytes: 1e9 }) }];
  };

export const sessionStories: Stories = Object.fromEntries(
  Object.entries(told).map(([name, tell]) => [name, about(tell)]),
);
