import { describe, expect, it } from 'vitest';
import { Auth, resolveIdentity } from './auth.js';
import { MacpIdentityMismatchError } from './errors.js';

const alice = Auth.devAgent('alice');

describe('a credential', () => {
  it.each(['secret\n', 'secret\r\nx: y', ' secret', 'sécret'])(
    'that no header can carry is refused, and not shown: %j',
    (token) => {
      const wrong: [string, () => unknown][] = [
        ['token', () => Auth.bearer(token)],
        ['agentId', () => Auth.devAgent(token)],
        ['auth.bearerToken', () => resolveIdentity(undefined, { bearerToken: token }, undefined)],
      ];
      for (const [argument, act] of wrong) {
        expect(act).toThrow(expect.objectContaining({ name: 'MacpSessionError', argument }));
        expect(act).not.toThrow(/s[eé]cret/);
      }
    },
  );
});

describe('who speaks', () => {
  it('is the owner of the credential unless somebody else is named', () => {
    expect(resolveIdentity(alice, undefined, undefined)).toEqual({ sender: 'alice', auth: alice });
    expect(resolveIdentity(alice, Auth.devAgent('bob'), undefined).sender).toBe('bob');
    expect(resolveIdentity(undefined, undefined, undefined)).toEqual({ sender: '', auth: undefined });
  });

  it('may be anybody with a default dev credential: it is only a name', () => {
    const { sender, auth } = resolveIdentity(alice, undefined, 'bob');
    expect(sender).toBe('bob');
    expect(auth).toEqual(Auth.devAgent('bob'));
  });

  it('is never somebody else with a real token', () => {
    const token = Auth.bearer('secret', { expectedSender: 'alice' });
    expect(() => resolveIdentity(token, undefined, 'bob')).toThrow(MacpIdentityMismatchError);
    expect(() => resolveIdentity(Auth.bearer('secret', 'alice'), undefined, 'bob')).toThrow(
      expect.objectContaining({ expectedSender: 'alice', actualSender: 'bob' }),
    );
    expect(resolveIdentity(token, undefined, 'alice').auth).toBe(token);
  });

  it('must fit a credential that was given for the call', () => {
    expect(() => resolveIdentity(alice, Auth.devAgent('carol'), 'bob')).toThrow(MacpIdentityMismatchError);
  });

  it('is left to the runtime when nobody knows whose token it is', () => {
    const token = Auth.bearer('secret');
    expect(resolveIdentity(token, undefined, 'bob')).toEqual({ sender: 'bob', auth: token });
  });

  it('is not in the text of an error, if it is a token', () => {
    const token = Auth.bearer('secret', 'alice');
    expect(() => resolveIdentity(token, undefined, 'bob')).not.toThrow(/secret/);
  });

  it('is not blank', () => {
    expect(() => Auth.devAgent(' ')).toThrow(/agentId/);
    expect(() => Auth.bearer('')).toThrow(/token/);
  });
});
