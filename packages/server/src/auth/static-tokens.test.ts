import { timingSafeEqual } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { DEFAULT_SCOPES } from './scopes.js';
import { readStaticTokens, type StaticTokens } from './static-tokens.js';

vi.mock('node:crypto', async (load) => {
  const real = await load<typeof import('node:crypto')>();
  return { ...real, timingSafeEqual: vi.fn(real.timingSafeEqual) };
});

const read = (value: unknown): StaticTokens => {
  const result = readStaticTokens(JSON.stringify(value));
  if (!result.ok) throw new Error(result.flaws.join('; '));
  return result.tokens;
};
const flawsOf = (value: unknown): readonly string[] => {
  const result = readStaticTokens(typeof value === 'string' ? value : JSON.stringify(value));
  return result.ok ? [] : result.flaws;
};

describe('static tokens', () => {
  it('takes a bare list and {"tokens": [...]} alike, with the defaults of docs/spec/macp.md 6.2', () => {
    const item = { token: 'alpha', sender: 'alice' };
    for (const form of [[item], { tokens: [item] }]) {
      expect(read(form).find('alpha')).toEqual({
        tenant: 'default',
        agent: 'alice',
        canStartSessions: true,
        canManageModeRegistry: false,
        isObserver: false,
        scopes: DEFAULT_SCOPES,
      });
    }
  });

  it('reads every field', () => {
    const tokens = read([
      {
        token: 't1',
        sender: 'bob',
        tenant: 'acme',
        allowed_modes: ['macp.mode.handoff.v1'],
        can_start_sessions: false,
        max_open_sessions: 3,
        can_manage_mode_registry: true,
        is_observer: true,
        scopes: ['handoff:admin'],
      },
    ]);
    expect(tokens.find('t1')).toEqual({
      tenant: 'acme',
      agent: 'bob',
      allowedModes: new Set(['macp.mode.handoff.v1']),
      canStartSessions: false,
      canManageModeRegistry: true,
      isObserver: true,
      maxOpenSessions: 3,
      scopes: new Set(['handoff:admin']),
    });
  });

  it.each([
    [{ max_open_session: 1 }, 'max_open_session is not a field of a token (did you mean max_open_sessions?)'],
    [{ allowed_mode: ['none'] }, 'allowed_mode is not a field of a token (did you mean allowed_modes?)'],
    [{ scopes: ['handoff:admn'] }, 'handoff:admn is not a scope (did you mean handoff:admin?)'],
    [{ note: 'x' }, 'note is not a field of a token'],
  ])('refuses what restricts or grants nothing: %j', (extra, flaw) => {
    const json = JSON.stringify([{ token: 't1', sender: 'bob', ...extra }]);
    expect(readStaticTokens(json)).toEqual({ ok: false, flaws: [`item 1: ${flaw}`] });
  });

  it('reads an empty allowed_modes as all modes', () => {
    expect(read([{ token: 't', sender: 's', allowed_modes: [] }]).find('t')?.allowedModes).toBeUndefined();
  });

  it('finds only the exact token', () => {
    const tokens = read([{ token: 'correct', sender: 's' }]);
    for (const wrong of ['', 'correc', 'correctt', 'Correct', 'correct ', '__proto__']) {
      expect(tokens.find(wrong)).toBeUndefined();
    }
  });

  it('confirms a match in constant time, on digests of one length whatever the token', () => {
    const tokens = read([
      { token: 'a', sender: 's' },
      { token: 'b'.repeat(4096), sender: 's' },
    ]);
    vi.mocked(timingSafeEqual).mockClear();
    for (const token of ['a', 'b'.repeat(4096)]) expect(tokens.find(token)).toBeDefined();
    const sizes = vi
      .mocked(timingSafeEqual)
      .mock.calls.flat()
      .map(({ byteLength }) => byteLength);
    expect(sizes).toEqual([32, 32, 32, 32]);
  });

  it('keeps no readable token', () => {
    const tokens = read([{ token: 'the-very-secret', sender: 's' }]);
    expect(inspect(tokens, { depth: null, showHidden: true })).not.toContain('the-very-secret');
    expect(JSON.stringify(tokens)).toBe('{}');
  });

  it.each([
    ['not json', 'must be JSON'],
    [{ token: [] }, 'must be JSON'],
    [[], 'empty'],
    [['x'], 'item 1: must be an object'],
    [[{ sender: 's' }], 'token is missing'],
    [[{ token: 'a.b', sender: 's' }], 'read as JWTs'],
    [[{ token: 'a b', sender: 's' }], 'visible ASCII'],
    [[{ token: 'x'.repeat(5000), sender: 's' }], 'longer than'],
    [[{ token: 'a' }], 'sender must be'],
    [[{ token: 'a', sender: 'x\u0000y' }], 'sender must be'],
    [[{ token: 'a', sender: 'é'.repeat(129) }], 'sender must be'],
    [[{ token: 'a', sender: '\ud800' }], 'sender must be'],
    [[{ token: 'a', sender: 's', tenant: '' }], 'tenant must be'],
    [[{ token: 'a', sender: 's', scopes: 'handoff:read' }], 'scopes must be'],
    [[{ token: 'a', sender: 's', can_start_sessions: 'false' }], 'can_start_sessions must be'],
    [[{ token: 'a', sender: 's', is_observer: 1 }], 'is_observer must be'],
    [[{ token: 'a', sender: 's', max_open_sessions: -1 }], 'max_open_sessions must be'],
    [[{ token: 'a', sender: 's', allowed_modes: 'x' }], 'allowed_modes must be'],
  ])('refuses %j', (value, flaw) => {
    expect(flawsOf(value).join('; ')).toContain(flaw);
  });

  it('refuses a token that appears twice, and reports every wrong item without its token', () => {
    const flaws = flawsOf([
      { token: 'secret1', sender: 'a' },
      { token: 'secret1', sender: 'b' },
      { token: 'secret.2', sender: 'c' },
    ]);
    expect(flaws).toHaveLength(2);
    expect(flaws[0]).toBe('item 2: the same token appears twice');
    expect(flaws.join()).not.toContain('secret');
  });
});
