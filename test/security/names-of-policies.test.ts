/** A policy or a mode whose name passes for another's would let a session look as if it were under that one. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPolicyFiles } from '../../packages/server/src/services/macp/policy-files.js';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { createWorld } from '../kit/world.js';

const DECEPTIVE = [
  'policy.default\u200b',
  'policy.default ',
  ' policy.default',
  'policy  default',
  '\u202epolicy',
  'a\u00a0b',
];
const policy = (policyId: string) => ({ policyId, mode: '*', description: '', schemaVersion: 3, rules: {} });
const descriptor = (mode: string) => ({
  mode,
  modeVersion: '1.0.0',
  title: '',
  description: '',
  determinismClass: '',
  participantModel: '',
  messageTypes: ['Commitment'],
  terminalMessageTypes: ['Commitment'],
  schemaUris: {},
});

describe('a name that looks like another', () => {
  const world = createWorld();
  const owner = world.principal('owner');
  const { registries } = world.services;
  const register = (mode: string) =>
    registries.changeModes(owner, { kind: 'register', descriptor: descriptor(mode) });

  it.each(DECEPTIVE)('%j is no policy’s and no mode’s', async (name) => {
    expect(await registries.registerPolicy(owner, policy(name))).toMatchObject({
      code: 'INVALID_POLICY_DEFINITION',
      message: expect.stringContaining('policy_id has letters that cannot be seen'),
    });
    expect(await register(name)).toMatchObject({
      code: 'INVALID_ENVELOPE',
      message: expect.stringContaining('mode has letters that cannot be seen'),
    });
  });

  it('is no mode’s by promotion, either; plain ones are taken, and what is no name at all is told as such', async () => {
    expect(await register('ext.plain words')).toBeUndefined();
    const promote = (promotedName: string) =>
      registries.changeModes(owner, { kind: 'promote', mode: 'ext.plain words', promotedName });
    expect(await promote('good ')).toMatchObject({
      message: expect.stringContaining('promoted_mode_name has'),
    });
    expect(await promote('')).toBeUndefined();
    expect(await registries.registerPolicy(owner, policy('Ein Name'))).toBeUndefined();
    expect(await registries.registerPolicy(owner, policy(' '))).toMatchObject({
      message: expect.not.stringContaining('cannot be seen'),
    });
  });
});

describe('a file of policies', () => {
  const read = (text: string) => {
    const folder = join(temporaryFolder(), 'policies');
    mkdirSync(folder);
    writeFileSync(join(folder, 'one.json'), text);
    return () => readPolicyFiles(folder);
  };
  const file = (rules: string, id = 'policy.x') =>
    `{"policy_id": "${id}", "mode": "macp.mode.quorum.v1", "description": "", "schema_version": 3, "rules": ${rules}}`;

  it('says each thing once', () => {
    expect(read(file('{"threshold": {"value": 3}}'))()).toHaveLength(1);
    expect(read(file('{"threshold": {"value": 3}, "threshold": {"value": 1}}'))).toThrow(
      'one.json has the name "threshold" twice',
    );
    expect(read(file('{"threshold": {"value": 1e999}}'))).toThrow('one.json has a number out of range');
    expect(read(file('{"__proto__": {}}'))).toThrow('one.json has the name __proto__');
  });

  it('has no name that looks like another', () => {
    expect(read(file('{}', 'policy.default '))).toThrow('one.json: policy_id has letters');
  });
});
