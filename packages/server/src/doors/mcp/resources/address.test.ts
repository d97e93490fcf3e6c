import { describe, expect, it } from 'vitest';
import { Scope } from '../../../auth/scopes.js';
import { locate, templatesOf, uriOf } from './address.js';
import { RESOURCE_PATHS } from './catalogue.js';
import type { ResourceKind } from './resource-kind.js';

const PAGED = new Set(['sessions', 'context/{sessionKey}']);
const kinds: readonly ResourceKind[] = RESOURCE_PATHS.map((path) => ({
  name: path,
  title: '',
  description: '',
  path,
  scope: Scope.HANDOFF_READ,
  paged: PAGED.has(path),
  read: async () => ({ value: {} }),
}));
const found = (uri: string) => {
  const located = locate(kinds, uri);
  return located && [located.kind.path, located.address.values, located.address.cursor];
};

describe('addresses', () => {
  it.each([
    ['handoff://sessions', 'sessions', {}, undefined],
    ['handoff://sessions?cursor=abc', 'sessions', {}, 'abc'],
    ['handoff://context/a%2Fb%20c', 'context/{sessionKey}', { sessionKey: 'a/b c' }, undefined],
    ['handoff://context/k?cursor=a%3D', 'context/{sessionKey}', { sessionKey: 'k' }, 'a='],
    ['handoff://context/a:b', 'context/{sessionKey}', { sessionKey: 'a:b' }, undefined],
    ['handoff://agents/bob/inbox', 'agents/{agentId}/inbox', { agentId: 'bob' }, undefined],
    ['handoff://handoffs/s:h', 'handoffs/{handoffId}', { handoffId: 's:h' }, undefined],
    ['handoff://handoffs/s:a%2Fb', 'handoffs/{handoffId}', { handoffId: 's:a%2Fb' }, undefined],
    [
      'handoff://handoffs/s%3Aa%252Fb/receipt',
      'handoffs/{handoffId}/receipt',
      { handoffId: 's:a%2Fb' },
      undefined,
    ],
  ])('%s', (uri, path, values, cursor) => {
    expect(found(uri)).toEqual([path, values, cursor]);
  });

  it('a kind with a scheme of its own is found below that one alone', () => {
    const other: ResourceKind = { ...(kinds[1] as ResourceKind), scheme: 'test' };
    expect(locate([other], 'test://context/k')?.kind).toBe(other);
    expect(locate([other], 'handoff://context/k')).toBeUndefined();
    expect(uriOf(other, { sessionKey: 'k' })).toBe('test://context/k');
    expect(templatesOf(other)).toContain('test://context/{sessionKey}');
  });

  it.each([
    'handoff://',
    'handoff://sessions/',
    'handoff://SESSIONS',
    'handoff://context',
    'handoff://context/',
    'handoff://context/%ZZ',
    'handoff://context/k?limit=1',
    'handoff://context/k?cursor=',
    'handoff://context/k?cursor=a?cursor=b',
    'handoff://summary/k?cursor=a',
    'handoff://handoffs/s:h/package/x',
    `handoff://context/${'k'.repeat(5_000)}`,
    'http://sessions',
  ])('%s is none', (uri) => {
    expect(found(uri)).toBeUndefined();
  });

  it('are given out as they are taken', () => {
    for (const kind of kinds) {
      const values = {
        sessionKey: 'ä/ %',
        agentId: 'a?b#c',
        handoffId: 's:a%2Fb',
        operationId: 'op_1',
        attachment: '1',
      };
      const own = Object.fromEntries(
        Object.entries(values).filter(([name]) => kind.path.includes(`{${name}}`)),
      );
      expect(found(uriOf(kind, own))).toEqual([kind.path, own, undefined]);
    }
  });

  it('have templates, with and without a page', () => {
    expect(kinds.flatMap(templatesOf).slice(0, 3)).toEqual([
      'handoff://sessions{?cursor}',
      'handoff://context/{sessionKey}',
      'handoff://context/{sessionKey}{?cursor}',
    ]);
  });
});
