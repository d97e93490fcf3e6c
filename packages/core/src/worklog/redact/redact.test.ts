import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSecretFile, redact, secretIn, withoutHome } from './redact.js';
import { REDACTION_RULES } from './rules.js';

const a = (count: number, character: string): string => character.repeat(count);

const SECRETS = [
  `AKIA${a(16, 'B')}`,
  `ghp_${a(36, 'x')}`,
  `github_pat_${a(60, 'y')}`,
  `glpat-${a(20, 'z')}`,
  'xoxb-1234567890-abcdef',
  `sk-ant-api03-${a(40, 'q')}`,
  `sk-proj-${a(30, 'q')}`,
  `AIza${a(35, 'k')}`,
  `sk_live_${a(24, '9')}`,
  `npm_${a(36, 'n')}`,
  `eyJ${a(20, 'a')}.eyJ${a(20, 'b')}.${a(20, 'c')}`,
  'Authorization: Bearer abcdefgh12345',
  'curl -H "x-api-key: 0123456789"',
  'postgres://app:hunter22@db/x',
  'https://h/x?access_token=abcdef123',
  'DB_PASSWORD=hunter2hunter',
  'password: "correct horse"',
  "client_secret = 'zzzzzzzz'",
  '-----BEGIN OPENSSH PRIVATE KEY-----\nAAA\n-----END OPENSSH PRIVATE KEY-----',
  '-----BEGIN PRIVATE KEY-----\nMII cut off',
];
const HARMLESS = [
  'commit 343074d4201f0e7a5b9c1d2e3f4a5b6c7d8e9f00',
  '550e8400-e29b-41d4-a716-446655440000',
  `sha512-${a(86, 'A')}==`,
  'sha256:373acae50a39f3c471d7dfe4e732694efa652185443474293d695f0cf6d2abc6',
  'password: \u0024{DB_PASSWORD}',
  'apiKey: process.env.API_KEY',
  'const secret = null;',
  'the secret is out',
  'token budget: 4000',
  'sessionKey: "nightly-import"',
  'https://example.com/a?page=2&sort=key',
  'git@github.com:o/r.git',
  'risk-assessment-of-the-new-thing',
  '"max_tokens": 4000',
  'keyboard: qwertyuiop',
];

describe('assistants:Z1 redaction', () => {
  it.each(SECRETS)('finds the secret in %s', (text) => {
    const { counts } = redact(text);
    expect(Object.keys(counts)).toHaveLength(1);
    expect(secretIn(text)).toBeDefined();
  });

  it.each(HARMLESS)('leaves %s as it is', (text) => {
    expect(redact(text)).toEqual({ text, counts: {} });
    expect(secretIn(text)).toBeUndefined();
  });

  it('keeps what stands before the value, and counts', () => {
    const text = 'DB_PASSWORD=hunter2hunter and API_KEY=abcdefgh, postgres://app:hunter22@db/x';
    expect(redact(text)).toEqual({
      text: 'DB_PASSWORD=[redacted:assignment] and API_KEY=[redacted:assignment], postgres://app:[redacted:url-userinfo]@db/x',
      counts: { assignment: 2, 'url-userinfo': 1 },
    });
  });
});

describe('assistants:5.3 the rule for tokens', () => {
  it('finds what the plain expression finds, in linear time', () => {
    const plain = /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g;
    const pieces = fc.array(
      fc.constantFrom('eyJ', '.eyJ', a(9, 'a'), a(10, 'b'), 'c', '-', '_', '.', ' ', 'é'),
    );
    const [rule] = REDACTION_RULES.filter(({ name }) => name === 'jwt');
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.join('');
        const found = text.replace(rule?.shape ?? /$/, (_, before: string) => `${before}[]`);
        expect(found).toBe(text.replace(plain, '[]'));
      }),
      { numRuns: 20_000 },
    );
  });
});

describe('assistants:Z2 redacting twice', () => {
  it('changes nothing, whatever the text is made of', () => {
    const pieces = fc.array(
      fc.oneof(fc.constantFrom(...SECRETS, ...HARMLESS, ' ', '\n', '"', '=', ': '), fc.string()),
    );
    fc.assert(
      fc.property(pieces, (parts) => {
        const once = redact(parts.join('')).text;
        expect(redact(once).text).toBe(once);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('assistants:Z3 hostile text', () => {
  const HOSTILE = {
    'beginnings of assignments': (n: number) => 'a password secret: '.repeat(n / 19),
    'one letter': (n: number) => 'x'.repeat(n),
    'a long scheme': (n: number) => `${'a'.repeat(n)}://`,
    'long names': (n: number) => `${'A'.repeat(40)}_`.repeat(n / 41),
    'keys that never end': (n: number) => '-----BEGIN PRIVATE KEY-----\n'.repeat(n / 28),
    'users without a host': (n: number) => 'ab://c:'.repeat(n / 7),
    'one word of beginnings of tokens': (n: number) => 'eyJaaaaaaaaaa-'.repeat(n / 14),
    'beginnings of tokens before a whole one': (n: number) =>
      `${'eyJ-'.repeat(n / 4)}.eyJ${a(10, 'b')}.${a(10, 'c')}`,
    'halves of tokens': (n: number) => 'eyJaaaaaaaaaaaa.'.repeat(n / 16),
    'blanks after a header': (n: number) => `authorization:${' '.repeat(n)}`,
  };

  const cpuOf = (text: string): number => {
    const before = process.cpuUsage();
    redact(text);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const best = (text: string): number => Math.min(...Array.from({ length: 5 }, () => cpuOf(text)));

  it.each(Object.entries(HOSTILE))('costs no more than its length: %s', (_, make) => {
    const [half, whole] = [make(500_000), make(1_000_000)];
    // What is quick is not measured well: 10 ms are free.
    expect(best(whole)).toBeLessThanOrEqual(3 * best(half) + 10_000);
  });
});

describe('what is never quoted', () => {
  it.each([
    '.env',
    'app/.env.local',
    'tls/server.pem',
    'a.key',
    '/home/a/.ssh/id_ed25519',
    'credentials.json',
    '.npmrc',
    'C:\\x\\.netrc',
    'db/.pgpass',
    'server.P12',
    'a.pfx',
    'android/release.keystore',
    'config/secrets.yml',
    'service-account-prod.json',
    '.aws_credentials',
    '.git-credentials',
    '.env\nfile',
  ])('%s', (path) => expect(isSecretFile(path)).toBe(true));
  it.each(['src/environment.ts', 'secrets-guide.md', 'keys.ts', 'identity.ts', 'readme.md'])(
    'but %s',
    (path) => expect(isSecretFile(path)).toBe(false),
  );
});

it('the home folder becomes ~, as a whole name only', () => {
  expect(withoutHome('/home/ann/x, /home/ann, /home/anna/y, /home/ann.old', '/home/ann/')).toBe(
    '~/x, ~, /home/anna/y, /home/ann.old',
  );
  expect(withoutHome('a/b', '/')).toBe('a/b');
});

it('every rule finds something of its own', () => {
  const found = new Set(SECRETS.flatMap((text) => Object.keys(redact(text).counts)));
  expect([...found].sort()).toEqual(REDACTION_RULES.map(({ name }) => name).sort());
});
