import { expect, it } from 'vitest';
import { readConnection } from './read-connection.js';

const read = (headers: Record<string, string>, query = '') =>
  readConnection(new Request(`http://localhost/mcp${query}`, { headers }), 7);

it('nothing is said, nothing is known', () => expect(read({})).toEqual({ transport: 'http', since: 7 }));

it('assistants:J7 the project of a request', () => {
  expect(read({ 'Handover-Project': 'git:0123456789abcdef; name=caf%C3%A9' })).toMatchObject({
    project: { id: 'git:0123456789abcdef', name: 'café' },
  });
  expect(read({ 'Handover-Project': 'shop' })).toMatchObject({ project: { id: 'shop', name: 'shop' } });
  for (const wrong of [
    '',
    ' ',
    '*',
    '%2A',
    'x; name=*',
    '%zz',
    'a%0Ab',
    `x; name=${'y'.repeat(201)}`,
    '%E2%80%AE',
  ])
    expect(read({ 'Handover-Project': wrong })).toContain('Handover-Project');
});

it('the window, the commit and the sets', () => {
  expect(
    read({ 'Handover-Instance': '0a1b2c3d', 'Handover-Head': 'b'.repeat(40) }, '?toolsets=handoff, admin'),
  ).toEqual({
    transport: 'http',
    since: 7,
    instance: '0a1b2c3d',
    repeats: true,
    head: 'b'.repeat(40),
    toolsets: new Set(['handoff', 'admin']),
  });
  const client = (said: string) => (read({ 'Handover-Client': said }) as { client?: object }).client;
  expect(client('claude; session=6f1c%202b')).toEqual({ name: 'claude', session: '6f1c 2b' });
  // It is only good to know: what cannot be read is left out.
  for (const wrong of [
    '',
    'claude',
    '; session=x',
    'claude; session=',
    'claude; session=%zz',
    'a%0A; session=b',
  ])
    expect(client(wrong)).toBeUndefined();
  expect(read({ 'Handover-Instance': 'window' })).toContain('Handover-Instance');
  for (const wrong of ['?toolsets=', '?toolsets=all', '?toolsets=handoff,more'])
    expect(read({}, wrong)).toContain('lifecycle');
});
