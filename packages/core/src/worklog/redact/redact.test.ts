import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSecretFile, redact, secretIn, withoutHome } from './redact.js';
import { MORE_HARMLESS, MORE_SECRETS } from './redact-cases.test.helper.js';
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

describe('assistants:5.3 beyond the shapes of the page', () => {
  it.each(Object.entries(MORE_SECRETS).flatMap(([what, all]) => all.map((text) => [what, text] as const)))(
    '%s: %s',
    (_, marked) => {
      const text = marked.replace(/[«»]/g, '');
      const once = redact(text).text;
      expect(once).toMatch(/\[redacted:[a-z-]+\]/);
      expect(once.replace(/\[redacted:[a-z-]+\]/g, '…')).toBe(marked.replace(/«[^»]*»/g, '…'));
      expect(redact(once).text).toBe(once);
      expect(secretIn(text)).toBeDefined();
    },
  );

  it.each(MORE_HARMLESS)('leaves %s as it is', (text) => {
    expect(redact(text)).toEqual({ text, counts: {} });
    expect(secretIn(text)).toBeUndefined();
  });
});

describe('assistants:5.3 names that are written otherwise', () => {
  it.each([
    ['ｐａｓｓｗｏｒｄ＝hunter22', 'password=[redacted:assignment]'],
    ['pass\u200bword=hunter22', 'password=[redacted:assignment]'],
    ['api\u00ad_key: "hunter\u200b22"', 'api_key: "[redacted:assignment]"'],
    [`sk\u2060-${a(30, 'q')}`, '[redacted:openai-anthropic]'],
  ])('%s', (text, clean) => {
    const once = redact(text);
    expect(once.text).toBe(clean);
    expect(redact(once.text)).toEqual({ text: clean, counts: {} });
    expect(secretIn(text)).toBeDefined();
  });

  it.each(['ｐａｓｓｗｏｒｄ is what it asks for', 'a\u200bb 👩\u200d💻 ｆｕｌｌ', 'password\u200b=$X'])(
    'leaves %s as it is',
    (text) => {
      expect(redact(text)).toEqual({ text, counts: {} });
      expect(secretIn(text)).toBeUndefined();
    },
  );
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
        const found = text.replace(rule?.shapes[0] as RegExp, (_, before: string) => `${before}[]`);
        expect(found).toBe(text.replace(plain, '[]'));
      }),
      { numRuns: 20_000 },
    );
  });
});

describe('assistants:Z2 redacting twice', () => {
  const more = Object.values(MORE_SECRETS).flat();
  const PIECES = [
    ...[...SECRETS, ...HARMLESS, ...more.map((text) => text.replace(/[«»]/g, '')), ...MORE_HARMLESS],
    ...['ｐassword', 'pass\u200bword', '\u200b', '＝', "'''", "$'", '<password>', 'echo ', ' | sudo -S'],
    ...['password', 'token', 'pwd', '--password', 'curl -u ann:', 'https://', 'bearer ', 'hunter22'],
    ...[' ', '\n', '"', "'", '\\', '\\"', '=', ': ', '@', ':', '/', '[', ']', '&', '-'],
  ];
  it('changes nothing, whatever the text is made of', () => {
    const pieces = fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string()));
    fc.assert(
      fc.property(pieces, (parts) => {
        const once = redact(parts.join('')).text;
        expect(redact(once)).toEqual({ text: once, counts: {} });
      }),
      { numRuns: 4_000 },
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
    'quotes that do not end': (n: number) => `password="password='password=\\"password=\\'`.repeat(n / 42),
    'quotes behind backslashes': (n: number) => 'password=\\\\\\"a'.repeat(n / 14),
    'backslashes in quotes': (n: number) => `password="${'\\'.repeat(n)}`,
    'backslashes in quotes with backslashes': (n: number) => `password=\\"${'\\'.repeat(n)}`,
    'one quote': (n: number) => `password="${'x y '.repeat(n / 4)}`,
    'names of tokens': (n: number) => 'token='.repeat(n / 6),
    'names of flags': (n: number) => '--a-password '.repeat(n / 13),
    'words between dashes': (n: number) => `${'a-'.repeat(n / 2)}`,
    'flags of curl': (n: number) => `curl${' -u a:'.repeat(n / 6)}`,
    'lines of curl': (n: number) => 'curl -u a:b\n'.repeat(n / 12),
    curls: (n: number) => 'curl '.repeat(n / 5),
    'an address of signs': (n: number) => `https://a:${'@'.repeat(n)}`,
    'an address without an end': (n: number) => `https://a:${'b'.repeat(n)}`,
    'letters that nobody sees': (n: number) => '\u200b'.repeat(n),
    'letters of full width': (n: number) => 'ｐ'.repeat(n),
    'elements that do not end': (n: number) => '<password>hunter2'.repeat(n / 17),
    'three quotes that do not end': (n: number) => `password='''${'x y '.repeat(n / 4)}`,
    'beginnings of three quotes': (n: number) => `password='''a`.repeat(n / 13),
    'dollar quotes': (n: number) => `password=$'abcdefg`.repeat(n / 18),
    'backslashes in dollar quotes': (n: number) => `password=$'${'\\'.repeat(n)}`,
    'lines behind a backslash': (n: number) => 'secret=\\\n'.repeat(n / 9),
    'lists of what was taken out': (n: number) =>
      `"password": [${'"[redacted:assignment]", '.repeat(n / 25)}`,
    'pairs of cookies': (n: number) => 'cookie: a=1; '.repeat(n / 13),
    'schemes without a value': (n: number) => 'authorization: a '.repeat(n / 17),
    'a header of quotes': (n: number) => `authorization: digest a=${'"="'.repeat(n / 3)}`,
    'words of a phrase': (n: number) => `passphrase: ${'ab '.repeat(n / 3)}`,
    'beginnings of phrases': (n: number) => 'mnemonic: abc '.repeat(n / 14),
    'lists of phrases that do not end': (n: number) => 'mnemonic: ["abc", '.repeat(n / 18),
    'names with a lot behind them': (n: number) => `password${'_prod'.repeat(n / 5)}`,
    'settings in one word': (n: number) => 'a.password='.repeat(n / 11),
    'lines of a block': (n: number) => `password: |\n${'  a\n'.repeat(n / 4)}`,
    'blocks without a value': (n: number) => 'password: |\n '.repeat(n / 13),
    colours: (n: number) => '\u001b[0'.repeat(n / 3),
    'words of helm': (n: number) => 'helm registry login a '.repeat(n / 22),
    'words of netrc': (n: number) => 'machine a login b '.repeat(n / 18),
    'flags of mysql': (n: number) => 'mysql -u root '.repeat(n / 14),
    'words of mysql': (n: number) => `mysql ${'a '.repeat(n / 2)}`,
    'words of docker': (n: number) => 'docker login a '.repeat(n / 15),
    'words of redis': (n: number) => 'redis-cli a '.repeat(n / 12),
    'echoes to sudo': (n: number) => `sudo ${'echo abcdefgh |'.repeat(n / 15)}`,
    'one long echo to sudo': (n: number) => `sudo echo ${'a'.repeat(n)}`,
    'tokens of vendors': (n: number) => 'SG.aaaaaaaaaaaaaaaaaaaa.'.repeat(n / 24),
    bearers: (n: number) => 'bearer aaaaaaa'.repeat(n / 14),
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
    'infra/terraform.tfvars',
    'prod.tfvars.json',
    'terraform.tfstate',
    'terraform.tfstate.backup',
    '.htpasswd',
    '.pypirc',
    'kubeconfig-prod.yaml',
    '.vault-token',
    'app.jks',
    'me.ppk',
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
  const more = Object.values(MORE_SECRETS)
    .flat()
    .map((text) => text.replace(/[«»]/g, ''));
  const found = new Set([...SECRETS, ...more].flatMap((text) => Object.keys(redact(text).counts)));
  expect([...found].sort()).toEqual(REDACTION_RULES.map(({ name }) => name).sort());
});
