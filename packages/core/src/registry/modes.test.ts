/** Registrations that a log holds and that nobody could make now (macp-2026:12, and 0 on replay). */
import { describe, expect, it } from 'vitest';
import { verifies } from '../../../../test/conformance/verifies.js';
import type { Entry } from '../log/entry.js';
import { testCodec as codec } from '../modes/mode-session.test.helper.js';
import { extensionModes, findMode, type ModesState, modesDecider, standardModes } from './modes.js';
import { logOf, verified } from './recorded-registry.test.helper.js';

const MULTI_ROUND = 'ext.multi_round.v1';

const descriptor = {
  mode: MULTI_ROUND,
  mode_version: '9.9.9',
  title: '',
  description: '',
  determinism_class: '',
  participant_model: '',
  message_types: ['Contribute', 'Commitment'],
  terminal_message_types: ['Commitment'],
  schema_uris: {},
};
const registered = ['ModeRegistered', { descriptor }] as const;
const fold = (entries: readonly Entry[]) =>
  entries.reduce<ModesState | undefined>((state, entry) => modesDecider.evolve(state, entry), undefined);
const names = (modes: readonly { mode: string }[]) => modes.map(({ mode }) => mode);

describe('a recorded registration of a mode that is now built in', () => {
  it(`${verifies('macp-2026:12:recorded')}macp-2026:12 is ignored`, () => {
    for (const entries of [
      logOf('modes', [registered]),
      logOf('modes', [registered, ['ModePromoted', { mode: MULTI_ROUND, promoted: MULTI_ROUND }]]),
    ]) {
      const state = fold(entries);
      expect(findMode(state, MULTI_ROUND)?.descriptor.modeVersion).toBe('1.0.0');
      expect(names(extensionModes(state))).toEqual([MULTI_ROUND]);
      expect(names(standardModes(state))).not.toContain(MULTI_ROUND);
    }
  });

  it('macp-2026:12 stands under another name where it was promoted to one', () => {
    const state = fold(
      logOf('modes', [registered, ['ModePromoted', { mode: MULTI_ROUND, promoted: 'rounds' }]]),
    );
    expect(names(standardModes(state))).toContain('rounds');
  });

  it('macp-2026:0 verifies as it was accepted', () => {
    const entries = logOf('modes', [registered, ['ModeUnregistered', { mode: MULTI_ROUND }]]);
    expect(verified('modes', entries)).toMatchObject({ ok: true });
  });

  it('macp-2026:12 can neither be made nor undone now', () => {
    const state = fold(logOf('modes', [registered]));
    const stamp = { at: 1, seq: 2, agent: 'admin' };
    const context = { codec, consulted: {} };
    const { mode, message_types: messageTypes, terminal_message_types: terminalMessageTypes } = descriptor;
    const again = {
      mode,
      modeVersion: '1',
      title: '',
      description: '',
      determinismClass: '',
      participantModel: '',
      messageTypes,
      terminalMessageTypes,
      schemaUris: {},
    };
    for (const command of [
      { kind: 'register', descriptor: again },
      { kind: 'unregister', mode: MULTI_ROUND },
      { kind: 'promote', mode: MULTI_ROUND, promotedName: 'rounds' },
    ] as const)
      for (const before of [undefined, state])
        expect(modesDecider.decide(before, command, stamp, context)).toMatchObject({ kind: 'rejected' });
  });
});
