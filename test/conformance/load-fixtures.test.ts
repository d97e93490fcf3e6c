import { describe, expect, it } from 'vitest';
import { loadFixtures, parseFixture } from './load-fixtures.js';

const minimal = {
  verifies: ['handoff:mode:identifier'],
  description: 'x',
  mode: 'macp.mode.handoff.v1',
  initiator: 'alice',
  participants: ['alice', 'bob'],
  mode_version: '1.0.0',
  configuration_version: 'config.default',
  policy_version: '',
  ttl_ms: 1000,
  messages: [],
  expected_final_state: 'Open',
};
const parse = (change: object) => parseFixture('area/name.json', JSON.stringify({ ...minimal, ...change }));

describe('fixtures', () => {
  it('all have the documented shape', () => {
    const fixtures = loadFixtures();
    expect(fixtures.length).toBeGreaterThan(300);
    expect(fixtures.filter(({ fixture }) => fixture.verifies.length === 0)).toEqual([]);
  });

  it('take comments', () => {
    expect(parse({ _why: 'a comment' })).toMatchObject({ ttl_ms: 1000 });
  });

  it.each([
    [{ mesages: [] }, 'fixture area/name.json: $.mesages: is not a known key'],
    [{ ttl_ms: '1000' }, '$.ttl_ms: must be an integer'],
    [{ verifies: ['no:such:rule'] }, '$.verifies[0]: must be one of'],
    [{ expected_final_state: 'Done' }, '$.expected_final_state: must be one of Open'],
    [{ messages: [{ advance: 1 }] }, '$.messages[0]: is not a known kind of step'],
    [{ messages: [{ fault: 'fire' }] }, '$.messages[0].fault: must be one of'],
    [
      { messages: [{ control: 'cancel', sender: 'a', expect: 'reject' }] },
      'a reject names its expected code',
    ],
    [{ start: { expect: 'reject' } }, '$.start: a reject names its expected code'],
    [{ messages: [{ get: { sendr: 'a' } }] }, '$.messages[0].get.sender: is missing'],
    [{ server: { tokens: [{ token: 't', sender: 1 }] } }, '$.server.tokens[0].sender: must be a string'],
  ])('refuse %j', (change, message) => {
    expect(() => parse(change)).toThrow(message);
  });

  it('refuse text that is not JSON, naming the file', () => {
    expect(() => parseFixture('area/broken.json', '{')).toThrow('fixture area/broken.json');
  });
});
