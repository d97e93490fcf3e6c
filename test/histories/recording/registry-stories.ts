/** The registries: policies, modes, configuration. */
import {
  type ConfigurationCommand,
  HANDOFF_MODE,
  type ModeDescriptor,
  type NewPolicy,
  StreamKind,
} from '@handover/core';
import type { Stories, Story } from './story.js';
import { admin, createRecordingWorld, type RecordingWorld } from './world.js';

function about(
  kind: 'policies' | 'modes' | 'configuration',
  tell: (world: RecordingWorld) => Promise<unknown>,
): Story {
  return async (name) => {
    const world = createRecordingWorld(name);
    await tell(world);
    const ref = { tenant: 'default', kind: StreamKind[KINDS[kind]], id: kind };
    return [{ name, ref, entries: await world.history(ref) }];
  };
}
const KINDS = { policies: 'Policies', modes: 'Modes', configuration: 'Configuration' } as const;

const policy = (policyId: string, rules: NewPolicy['rules'], more: Partial<NewPolicy> = {}): NewPolicy => ({
  policyId,
  mode: HANDOFF_MODE,
  description: `what ${policyId} says`,
  schemaVersion: 1,
  rules,
  ...more,
});
const silence = policy('policy.silence', { acceptance: { implicit_accept_timeout_ms: 1_000 } });
const anybody = policy('policy.anybody', { commitment: { authority: 'any_participant' } }, { mode: '*' });
const roles = policy('policy.roles', {
  acceptance: { implicit_decline_timeout_ms: 2_000 },
  commitment: { authority: 'designated_role', designated_roles: ['lead'], allow_no_target: true },
  audit: { level: 'info' },
});
const chat = policy('policy.chat', { anything: ['the mode', 'wants'] }, { mode: 'ext.chat.v1' });

const mode = (name: string): ModeDescriptor => ({
  mode: name,
  modeVersion: '1',
  title: name,
  description: 'talk',
  determinismClass: 'none',
  participantModel: 'declared',
  schemaUris: { protobuf: 'https://example.org/chat.proto' },
  messageTypes: ['SessionStart', 'Say', 'Commitment'],
  terminalMessageTypes: ['Commitment'],
});

const must = async (change: Promise<{ readonly message: string } | undefined>): Promise<void> => {
  const refusal = await change;
  if (refusal) throw new Error(refusal.message);
};

export const registryStories: Stories = {
  'policies/registered-and-unregistered': about('policies', async ({ registries, clock }) => {
    for (const one of [silence, anybody, roles, chat]) {
      clock.now += 1_000;
      await must(registries.registerPolicy(admin, one));
    }
    await must(registries.unregisterPolicy(admin, silence.policyId));
    clock.now += 1_000;
    await must(registries.registerPolicy(admin, { ...silence, description: 'again' }));
    await must(registries.unregisterPolicy(admin, anybody.policyId));
  }),
  'policies/from-files': about('policies', async ({ adoptPolicies, clock }) => {
    await adoptPolicies([silence, anybody]);
    clock.now += 1_000;
    await adoptPolicies([{ ...silence, rules: {} }, anybody, roles]);
    clock.now += 1_000;
    await adoptPolicies([roles, chat]);
  }),
  'policies/all-unregistered': about('policies', async ({ registries }) => {
    await must(registries.registerPolicy(admin, silence));
    await must(registries.unregisterPolicy(admin, silence.policyId));
  }),
  'modes/registered-promoted-unregistered': about('modes', async ({ registries, clock }) => {
    const names = ['ext.chat.v1', 'ext.vote.v1', 'ext.poll.v1', 'ext.kept.v1'];
    for (const name of names) {
      clock.now += 1_000;
      await must(registries.changeModes(admin, { kind: 'register', descriptor: mode(name) }));
    }
    await must(
      registries.changeModes(admin, { kind: 'promote', mode: 'ext.chat.v1', promotedName: 'std.chat.v1' }),
    );
    await must(registries.changeModes(admin, { kind: 'promote', mode: 'ext.vote.v1', promotedName: '' }));
    await must(registries.changeModes(admin, { kind: 'unregister', mode: 'ext.poll.v1' }));
  }),
  'configuration/format-raised': about('configuration', ({ submit }) =>
    submit('_runtime', {
      stream: { tenant: 'default', kind: StreamKind.Configuration, id: 'configuration' },
      command: { kind: 'raiseFormat', level: 2 },
    }),
  ),
  'configuration/changed-backed-up-restored': about('configuration', async (world) => {
    const ref = { tenant: 'default', kind: StreamKind.Configuration, id: 'configuration' } as const;
    const ask = async (command: ConfigurationCommand) => {
      world.clock.now += 1_000;
      await world.submit('admin', { stream: ref, command });
    };
    await ask({ kind: 'change', changes: { LOG_LEVEL: 'debug', HANDOVER_HANDOFF_TTL_SECS: 60 } });
    await ask({ kind: 'backUp', description: 'before the experiment' });
    await ask({ kind: 'change', changes: { LOG_LEVEL: 'warn', SOME_FLAG: true } });
    await ask({ kind: 'change', changes: { LOG_LEVEL: null } });
    await ask({ kind: 'restore', backupId: 'backup-2' });
    await ask({ kind: 'deleteBackup', backupId: 'auto-1' });
    await ask({ kind: 'backUp', description: '' });
    await ask({ kind: 'deleteBackup', backupId: 'backup-2' });
  }),
  'configuration/automatic-backups-make-room': about('configuration', async (world) => {
    const ref = { tenant: 'default', kind: StreamKind.Configuration, id: 'configuration' } as const;
    await world.submit('admin', { stream: ref, command: { kind: 'backUp', description: 'of nothing' } });
    for (let n = 1; n <= 55; n++) {
      world.clock.now += 1_000;
      const changes = { HANDOVER_HANDOFF_TTL_SECS: n };
      await world.submit('admin', { stream: ref, command: { kind: 'change', changes } });
    }
  }),
};
