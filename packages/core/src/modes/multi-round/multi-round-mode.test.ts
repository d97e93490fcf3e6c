/** The multi-round mode, rule by rule; the names cite docs/spec/macp-2026.md. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifies } from '../../../../../test/conformance/verifies.js';
import type { JsonObject } from '../../log/json.js';
import { ModeSession, testCodec } from '../mode-session.test.helper.js';
import { readContribution } from './read-contribution.js';

const [NO, BAD] = ['FORBIDDEN', 'INVALID_ENVELOPE'];
const session = (participants = ['a', 'b'], rules: JsonObject = {}) =>
  new ModeSession({ mode: 'ext.multi_round.v1', participants, rules });
const contribute = (on: ModeSession, sender: string, value: string) =>
  on.say(sender, 'Contribute', { value });
const unhex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'));
const utf8 = (text: string) => Uint8Array.from(Buffer.from(text));

describe('the multi-round mode', () => {
  it('macp-2026:12 needs participants, and hears them alone', () => {
    expect(session([]).started).toBe(BAD);
    const on = session();
    expect(on.started).toBe('ok');
    for (const sender of ['owner', 'x']) expect(contribute(on, sender, 'v')).toBe(NO);
    expect(on.say('a', 'Teleport')).toBe(BAD);
  });

  it('macp-2026:12 counts a round for each new value, and none for the same again', () => {
    const on = session();
    const rounds = ['v', 'v', 'w', 'v'].map((value) => {
      expect(contribute(on, 'a', value)).toBe('ok');
      return on.view.round;
    });
    expect(rounds).toEqual([1, 1, 2, 3]);
    expect(on.view).toMatchObject({ converged: false });
  });

  it('macp-2026:12 takes nothing more once all hold the same value; before, it cannot be committed', () => {
    const on = session();
    contribute(on, 'a', 'v');
    expect(on.commit(true)).toBe(BAD);
    contribute(on, 'b', 'w');
    expect(on.commit(true)).toBe(BAD);
    contribute(on, 'b', 'v');
    expect(on.view).toMatchObject({ converged: true, round: 3 });
    expect(contribute(on, 'a', 'w')).toBe(BAD);
    expect(contribute(on, 'a', 'v')).toBe(BAD);
    expect(on.commit(true)).toBe('ok');
    expect(on.replayed()).toEqual(on.state);
  });

  it('macp-2026:12 lets the initiator alone commit, whatever the policy says', () => {
    const on = session(['a'], { commitment: { authority: 'any_participant' } });
    contribute(on, 'a', 'v');
    expect(on.commit(true, { by: 'a' })).toBe(NO);
    expect(on.commit(true)).toBe('ok');
  });

  it(`${verifies('macp-2026:0:digest')}records the digest of a value with the session, never the value`, () => {
    const on = session();
    contribute(on, 'a', 'secret-value');
    const id = on.state?.id ?? '';
    const digest = createHash('sha256').update(`${id}\u0000secret-value`).digest('hex');
    expect(on.entries.at(-1)?.facts).toMatchObject({ value_sha256: digest });
    expect(JSON.stringify([on.entries.at(-1)?.facts, on.view])).not.toContain('secret-value');
  });

  it.each([
    ['0a066465706c6f79', 'deploy'],
    ['7b2276616c7565223a226465706c6f79227d', 'deploy'],
    ['0a0d7b2276616c7565223a2278227d', '{"value":"x"}'],
    ['0a0a7b2261223a227878227d', '{"a":"xx"}'],
  ])('macp-2026:12 reads %s as %s', (hex, value) => {
    expect(readContribution(unhex(hex), testCodec)).toBe(value);
  });

  it('macp-2026:12 refuses what is neither, and an empty payload', () => {
    const on = session();
    const none: readonly Uint8Array[] = [
      new Uint8Array(0),
      Uint8Array.of(0xff),
      utf8('{"value":1}'),
      utf8('["value"]'),
      utf8('{"other":"x"}'),
    ];
    for (const payload of none) expect(on.sayBytes('a', 'Contribute', payload)).toBe(BAD);
    // What protobuf makes of an empty value.
    expect(on.sayBytes('a', 'Contribute', new Uint8Array(0))).toBe(BAD);
    expect(on.why).toBe('value is empty');
    // A field that a newer sender may add.
    expect(on.sayBytes('a', 'Contribute', unhex('0a0176120178'))).toBe('ok');
  });

  it('macp-2026:12 takes an empty value in no form', () => {
    const on = session();
    for (const payload of [unhex('0a00'), utf8('{"value":""}')]) {
      expect(on.sayBytes('a', 'Contribute', payload)).toBe(BAD);
      expect(on.why).toBe('value is empty');
    }
  });

  it('macp-2026:12 takes from JSON one value that has bytes of its own', () => {
    const on = session();
    for (const json of [
      '{"value":"\\ud800"}',
      '{"value":"pay \\ud83d 100"}',
      '{"value":"no","value":"yes"}',
      '{"value":"no", "\\u0076alue" : "yes"}',
    ])
      expect([json, on.sayBytes('a', 'Contribute', utf8(json))]).toEqual([json, BAD]);
    const taken = '{"of":{"value":"x"},"said":["value",": {"],"value" :"\\ud83d\\ude00 \\"value\\":"}';
    expect(readContribution(utf8(taken), testCodec)).toBe('\u{1f600} "value":');
    expect(on.sayBytes('a', 'Contribute', utf8(taken))).toBe('ok');
  });
});
