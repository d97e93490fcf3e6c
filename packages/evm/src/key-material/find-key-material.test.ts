/** review:H8: which values are key material, and which are not. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { entropyToMnemonic } from '@scure/bip39';
import { wordlist as english } from '@scure/bip39/wordlists/english.js';
import { wordlist as french } from '@scure/bip39/wordlists/french.js';
import { wordlist as japanese } from '@scure/bip39/wordlists/japanese.js';
import { wordlist as korean } from '@scure/bip39/wordlists/korean.js';
import { wordlist as chinese } from '@scure/bip39/wordlists/simplified-chinese.js';
import { wordlist as spanish } from '@scure/bip39/wordlists/spanish.js';
import { describe, expect, it } from 'vitest';
import { findKeyMaterial } from './find-key-material.js';

const codec = { sha256: (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex') };
const find = (value: unknown) => findKeyMaterial(value, codec);
const rule = (text: unknown, name = 'note') => find({ [name]: text })?.rule;

const PHRASE = 'test test test test test test test test test test test junk';
const HEX = 'ab'.repeat(32);
const XPRV =
  'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi';
const WIF = '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ';

describe('review:H8 recovery phrases', () => {
  it.each([
    ['alone', PHRASE],
    ['inside a text', `Please import ${PHRASE} and tell me.`],
    ['in capitals', PHRASE.toUpperCase()],
    [
      'numbered',
      PHRASE.split(' ')
        .map((word, i) => `${i + 1}. ${word}`)
        .join('\n'),
    ],
    ['with commas', PHRASE.replaceAll(' ', ', ')],
    ['as a list', PHRASE.split(' ')],
  ])('review:H8 (a) %s', (_, text) => {
    expect(rule(text)).toBe('phrase');
  });

  it.each([12, 15, 18, 21, 24])('review:H8 (a) of %i words, and not with another checksum', (words) => {
    const entropy = new Uint8Array((words * 4) / 3).fill(7);
    const phrase = entropyToMnemonic(entropy, english);
    expect(phrase.split(' ')).toHaveLength(words);
    expect(rule(phrase)).toBe('phrase');
    const cut = phrase.split(' ').slice(0, 11);
    expect(rule(cut.join(' '))).toBeUndefined();
    expect(rule([...cut, 'the', ...phrase.split(' ').slice(-5)].join(' '))).toBeUndefined();
  });

  it.each([
    ['French', french],
    ['Spanish', spanish],
    ['Japanese', japanese],
    ['Korean', korean],
    ['Chinese', chinese],
  ])('review:H8 (a) in %s, composed or not', (_, list) => {
    const phrase = entropyToMnemonic(new Uint8Array(16).fill(200), list as string[]);
    expect(rule(phrase)).toBe('phrase');
    expect(rule(phrase.normalize('NFC'))).toBe('phrase');
  });

  it('review:H8 (a) a checksum that is wrong is no phrase', () => {
    expect(rule(PHRASE.replace('junk', 'test'))).toBeUndefined();
  });

  it('review:H8 ordinary sentences are none: 10,000 of them, full of listed words', () => {
    const sentences = ordinarySentences(10_000);
    const listed = new Set(english);
    const words = sentences.flatMap((sentence) => sentence.toLowerCase().match(/[a-z]+/g) ?? []);
    expect(words.filter((word) => listed.has(word)).length / words.length).toBeGreaterThan(0.4);
    expect(sentences.filter((sentence) => rule(sentence) !== undefined)).toEqual([]);
    for (const between of [' ', '</p><p>', '\\n', '&nbsp;', ', and ', ' 1st '])
      expect(rule(sentences.join(between)), between).toBeUndefined();
  });

  it('review:H8 real summaries are none', () => {
    const summaries = realSummaries();
    expect(summaries.length).toBeGreaterThanOrEqual(100);
    expect(summaries.filter((summary) => find(summary) !== undefined)).toEqual([]);
  });

  it('review:H8 the checksums of a text made of listed words are bounded', () => {
    let hashes = 0;
    const counting = {
      sha256: (bytes: Uint8Array) => {
        hashes += 1;
        return codec.sha256(bytes);
      },
    };
    // None of its rows has a right checksum.
    findKeyMaterial({ note: 'abandon '.repeat(100_000) }, counting);
    expect(hashes).toBeLessThanOrEqual(4_096);
  });
});

/** All words differ, so that each can be the name of a field. */
const WORDS = entropyToMnemonic(
  new Uint8Array(16).map((_, i) => i * 13 + 5),
  english,
).split(' ');
const GROUPS = (size: number) => HEX.match(new RegExp(`.{${size}}`, 'g')) ?? [];
const inPairs = (words: readonly string[]) => [words.slice(0, 6), words.slice(6)];
const ORDINAL = ['st', 'nd', 'rd'];
const camel = (words: readonly string[]) =>
  words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('');
const wide = (text: string) =>
  text.replace(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0));

/** Each Latin letter as the one of another alphabet that looks like it. */
const inOther = (others: string, latin: string, text: string) =>
  text.replace(/[a-z]/gi, (one) => [...others][latin.indexOf(one)] ?? one);

describe('review:H8 phrases in odd forms', () => {
  it('review:H8 the words of this test differ', () => {
    expect(new Set(WORDS).size).toBe(12);
  });

  it.each<[string, unknown]>([
    ['as names of fields', Object.fromEntries(WORDS.map((word, i) => [word, i]))],
    ['as numbered names', Object.fromEntries(WORDS.map((word, i) => [`${i}-${word}`, true]))],
    ['as texts of one object', Object.fromEntries(WORDS.map((word, i) => [`w${i}`, word]))],
    ['in two texts', { first: WORDS.slice(0, 5).join(' '), second: WORDS.slice(5).join(' ') }],
    ['in a list of objects', WORDS.map((word) => ({ word }))],
    ['in a list of objects with numbers', WORDS.map((word, i) => ({ place: String(i + 1), n: i, word }))],
    ['in a list of lists', inPairs(WORDS)],
    ['in objects of an object', { a: { words: WORDS.slice(0, 6) }, b: { words: WORDS.slice(6) } }],
    ['the phrase of the test chain in a list of objects', PHRASE.split(' ').map((word) => ({ word }))],
    ['with joiners inside the words', WORDS.map((word) => [...word].join('\u200d')).join(' ')],
    ['with soft hyphens inside the words', WORDS.map((word) => [...word].join('\u00ad')).join(' ')],
    ['with unseen spaces between the words', WORDS.join('\u200b')],
    ['with variation selectors', WORDS.map((word) => `${word}\ufe0f`).join(' ')],
    ['in camel case', camel(WORDS)],
    ['with dots', WORDS.join('.')],
    ['with underscores', WORDS.join('_')],
    ['with slashes', WORDS.join('/')],
    ['in full width', wide(WORDS.join(' ')).replaceAll('　', ' ')],
    ['with Cyrillic look-alikes', inOther('асеорхутѕіј', 'aceopxytsij', WORDS.join(' '))],
    ['with Cyrillic capitals', inOther('АВСЕНІКМОРТХ', 'ABCEHIKMOPTX', WORDS.join(' ').toUpperCase())],
    ['with Greek look-alikes', inOther('αοινυρτκ', 'aoivuptk', WORDS.join(' '))],
    ['with letters of several alphabets', inOther('аοսıɡһ', 'aouigh', WORDS.join(' '))],
    [
      'in capitals that alternate',
      WORDS.map((word) => [...word].map((c, i) => (i % 2 ? c.toUpperCase() : c)).join('')).join(' '),
    ],
    ['in bold letters of a page', WORDS.map((word) => `<b>${word}</b>`).join('')],
    ['as a list of a page', `<ol>${WORDS.map((word) => `<li class="w">${word}</li>`).join('')}</ol>`],
    ['with line breaks of a page', WORDS.join('<br/>')],
    ['with spaces of a page', WORDS.join('&nbsp;')],
    ['with numbered characters of a page', WORDS.join('&#160;')],
    ['with line breaks that are written out', WORDS.join('\\n')],
    ['with line breaks that are written out twice', WORDS.join('\\\\r\\\\n')],
    ['with spaces of an address', WORDS.join('%20')],
    ['with "and" before the last', `${WORDS.slice(0, -1).join(', ')}, and ${WORDS.at(-1)}`],
    ['with "and" and no comma', `${WORDS.slice(0, -1).join(', ')} and ${WORDS.at(-1)}`],
    ['with ordinals', WORDS.map((word, i) => `${i + 1}${ORDINAL[i] ?? 'th'} ${word}`).join(', ')],
    [
      'with ordinals after the words',
      WORDS.map((word, i) => `${word} (${i + 1}${ORDINAL[i] ?? 'th'})`).join(' '),
    ],
    ['as numbered words', WORDS.map((word, i) => `Word ${i + 1}: ${word}`).join('\n')],
    ['as numbered words with a sign', WORDS.map((word, i) => `word #${i + 1} = ${word}`).join('; ')],
    ['in rows with labels', WORDS.map((word, i) => ({ label: `Word ${i + 1}`, value: word }))],
    [
      'in rows with ordinals',
      WORDS.map((word, i) => ({ place: `${i + 1}${ORDINAL[i] ?? 'th'}`, value: word })),
    ],
  ])('review:H8 (a) %s', (_, value) => {
    expect(find({ payload: value })?.rule).toBe('phrase');
  });

  it.each<[string, unknown]>([
    ['a table with a column of listed words', rows(30)],
    ['fields with a name and a type', rows(12).map(({ category }) => ({ name: category, type: 'number' }))],
    [
      'an object with listed names',
      { name: 'Rent', type: 'bill', amount: '1200', unit: 'EUR', address: 'x', order: '7' },
    ],
    ['two words of the list', ['food', 'hotel']],
    [
      'a sentence in Russian',
      'Оплатить счёт за аренду, как мы вчера и говорили с хозяином у него дома после обеда',
    ],
    [
      'a sentence in Greek',
      'Να πληρωθεί το ενοίκιο του μήνα όπως το είπαμε χθες και με τον ιδιοκτήτη στο σπίτι',
    ],
    ['a phrase whose checksum is wrong, spread', [...WORDS.slice(1), WORDS[0]].map((word) => ({ word }))],
    ['a phrase among other words, spread', WORDS.map((word) => ({ word, note: 'what we saw there' }))],
    ['names in camel case', { ostcId: 'invoiceFlow', stepId: 'IntakeApprovePay', network: 'testNet' }],
    ['emoji with joiners', 'Paid 👩‍👩‍👧 and 🏳️‍🌈 for dinner'],
  ])('review:H8 %s passes', (_, value) => {
    expect(find({ payload: value })).toBeUndefined();
  });

  it('review:H8 the texts of a document are looked at a bounded number of times, however deep it is', () => {
    let hashed = 0;
    const counting = {
      sha256: (bytes: Uint8Array) => {
        hashed += 1;
        return codec.sha256(bytes);
      },
    };
    const wrong = [...WORDS.slice(1), ...WORDS.slice(0, 1)].join(' ');
    let deep: unknown = wrong;
    for (let i = 0; i < 400; i++) deep = [[], deep];
    findKeyMaterial(deep, counting);
    expect(hashed).toBeLessThan(20);
  });
});

describe('review:H8 hex keys in odd forms', () => {
  it.each([
    ['with a capital X', `key 0X${HEX.toUpperCase()}`],
    ['inside a sentence about a transaction', `Sign the tx with the private key 0x${HEX} please`],
    ['after a hash', `hash 0x${'cd'.repeat(4)}, private key: 0x${HEX}`],
    ['as PK', `PK=${HEX}`],
    ['as an assignment', `export PRIVATE_KEY="0x${HEX}"`],
    ['in groups of four', `private key ${GROUPS(4).join(' ')}`],
    ['in groups of eight with dashes', `private key 0x${GROUPS(8).join('-')}`],
    ['in pairs', `seed ${GROUPS(2).join(':')}`],
    ['in full width', wide(`private key 0x${HEX}`).replaceAll('　', ' ')],
    ['with Cyrillic look-alikes', inOther('асе', 'ace', `private key 0x${HEX}`)],
    ['with joiners between the digits', `private key ${[...HEX].join('\u200d')}`],
  ])('review:H8 (e) %s', (_, text) => {
    expect(rule(text)).toBe('hex');
  });

  it.each<[string, object]>([
    ['beside its kind', { type: 'private key', value: HEX }],
    ['beside its label, in a list', { fields: [{ label: 'Private key', value: `0x${HEX}` }] }],
    ['beside its name', { name: 'PRIVATE_KEY', value: `0x${HEX}` }],
    ['in an object that is called a key', { signerPrivateKey: { hex: HEX } }],
    ['in a list of an object that is called a key', { privateKey: { values: [`0x${HEX}`] } }],
    ['far behind its words', { note: `private key${' '.repeat(60)}0x${HEX}` }],
    ['far behind its words, line breaks between', { note: `private key:${'\n'.repeat(60)}0x${HEX}` }],
  ])('review:H8 (e) %s', (_, value) => {
    expect(find({ payload: value })?.rule).toBe('hex');
  });

  it.each<[string, object]>([
    ['a hash in an object that is called a wallet', { wallet: { txHash: `0x${HEX}`, address: '0x1' } }],
    ['a hash in the rows of a wallet', { wallet: { payments: [{ reference: `0x${HEX}` }] } }],
    ['a reference beside its kind', { type: 'wallet payment', reference: `0x${HEX}` }],
    ['a hash beside its kind', { type: 'transaction hash', value: `0x${HEX}` }],
    ['a public key beside its kind', { type: 'public key', value: `0x${HEX}` }],
    ['a digest of a key', { privateKey: { sha256Digest: `0x${HEX}` } }],
    ['a reference in a note of a wallet', { title: 'Pay from my wallet', reference: `0x${HEX}` }],
    ['a topic beside its name', { name: 'KeyChanged', topic: `0x${HEX}` }],
  ])('review:H8 (e) %s passes', (_, value) => {
    expect(find({ payload: value })).toBeUndefined();
  });

  it('review:H8 (e) as a list of groups, and as a name', () => {
    expect(rule(GROUPS(8), 'signingKey')).toBe('hex');
    expect(find({ privKeys: { [`0x${HEX}`]: 'main' } })?.rule).toBe('hex');
  });

  it.each<[string, unknown, string?]>([
    ['a transaction hash', `paid with tx 0x${HEX}`],
    ['a hash that a key signed', `the wallet sent tx 0x${HEX}`],
    ['a public key', `public key 0x${HEX}`],
    ['a fingerprint', `key fingerprint SHA256 ${GROUPS(2).join(':')}`],
    ['a hash in groups', `tx hash ${GROUPS(8).join(' ')}`],
    ['digits without a word', `0x${HEX}`, 'reference'],
    [
      'keys of retries',
      ['0f8fad5b-d9cb-469f-a165-70867728950e', '7c9e6679-7425-40de-944b-e07fc1f90ae7'],
      'keys',
    ],
    ['calldata', `0xa9059cbb${HEX}${HEX}`, 'data'],
    ['a topic', [HEX, HEX], 'topics'],
    ['a root', `0x${HEX}`, 'storageRoot'],
    ['names that are hashes', { [`0x${HEX}`]: 'paid' }, 'payments'],
  ])('review:H8 (e) %s passes', (_, value, name) => {
    expect(rule(value, name)).toBeUndefined();
  });
});

/** What people spend, by category: each category is a listed word. */
function rows(count: number) {
  const categories = ['food', 'hotel', 'travel', 'office', 'car', 'phone', 'book'];
  return Array.from({ length: count }, (_, i) => ({ amount: i, category: categories[(i * 3) % 7] }));
}

describe('review:H8 other keys', () => {
  it.each([
    ['(b) an extended key', XPRV, 'base58'],
    ['(b) a single key', `key:${WIF}.`, 'base58'],
    ['(c) PEM', '-----BEGIN EC PRIVATE KEY-----\nMHcCAQ', 'pem'],
    ['(c) PEM of PKCS 8', '-----BEGIN PRIVATE KEY-----', 'pem'],
    ['(d) a keystore', { Crypto: { ciphertext: 'ab', kdf: 'scrypt' } }, 'keystore'],
    ['(d) a keystore as text', JSON.stringify({ crypto: { kdf: 'scrypt', ciphertext: 'ab' } }), 'keystore'],
    ['(e) digits after the word', `My private key is 0x${HEX}`, 'hex'],
  ])('review:H8 %s', (_, value, expected) => {
    expect(rule(value)).toBe(expected);
  });

  it.each(['privKey', 'walletKey', 'seed', 'signing_key', 'WALLET'])(
    'review:H8 (e) digits called %s',
    (name) => {
      expect(rule(`0x${HEX}`, name)).toBe('hex');
      expect(rule([HEX], name)).toBe('hex');
    },
  );

  it.each([
    'reference',
    'txHash',
    'walletTxHash',
    'keyHash',
    'publicKey',
    'pubkey',
    'walletId',
    'secretDigest',
    'seedSalt',
  ])('review:H8 (e) digits called %s pass', (name) => {
    expect(rule(`0x${HEX}`, name)).toBeUndefined();
  });

  it.each([
    ['a wrong checksum', `${XPRV.slice(0, -1)}j`],
    ['a wrong checksum of a single key', `${WIF.slice(0, -1)}K`],
    ['a public extended key', `xpub${XPRV.slice(4)}`],
    ['a public key in PEM', '-----BEGIN PUBLIC KEY-----'],
    ['other words for crypto', { crypto: { name: 'ETH' }, ciphertext: 1, kdf: 1 }],
    ['sixty-three digits', `key ${HEX.slice(1)}`],
    ['sixty-five digits', `key ${HEX}a`],
    ['a hash', `the key of this is the hash ${HEX}`],
  ])('review:H8 %s passes', (_, value) => {
    expect(rule(value)).toBeUndefined();
  });

  it('review:H8 says where, and does not look at calldata', () => {
    expect(find({ steps: [{ label: 'x' }, { label: PHRASE }] })).toEqual({
      path: 'steps.1.label',
      rule: 'phrase',
    });
    const txRequest = { data: `0x${HEX}`, input: XPRV };
    expect(find({ wallet: { txRequest } })).toBeUndefined();
    expect(find({ txRequest: { note: XPRV } })?.path).toBe('txRequest.note');
  });

  it('review:H8 a secret of a session may be sixty-four digits, and no phrase', () => {
    expect(rule(HEX, '__secret')).toBeUndefined();
    expect(rule(PHRASE, '__secret1')).toBe('phrase');
  });

  it('review:H8 a word of millions of characters is passed over', () => {
    expect(rule('a'.repeat(4_000_000))).toBeUndefined();
    expect(rule(`0x${'ab'.repeat(2_000_000)}`)).toBeUndefined();
  });
});

/** A generator of numbers below 1 that always gives the same ones. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** English in its ordinary order, with words of the list wherever one fits. */
function ordinarySentences(count: number): readonly string[] {
  const next = seeded(20_261_115);
  const one = (words: readonly string[]) => words[Math.floor(next() * words.length)] ?? '';
  const nouns =
    'account agent amount asset bank budget car child city coin company cost credit day dinner doctor employ exchange family farm fee file finger forest friend garden goat group guide history hotel hour industry island job key lab lawsuit lesson machine market material member month office oil order owner paper party pattern payment person phone place plate power price process product profit project purchase reason record report river rule school season service shop supply system ticket tool town track trade truck unit update vendor village wage wallet winter work world year'.split(
      ' ',
    );
  const verbs =
    'add agree approve attend bring build buy call carry change check choose claim clean close copy cover create decide deliver deny deposit describe direct earn enter escape expect explain fetch find finish follow forget give improve include install join keep learn leave lend limit look make match mention move need notice offer open order own pay permit pick place play prepare present prevent produce protect provide raise receive record reduce release remain remove rent repair repeat require rescue retire return reveal review save search select sell send share show sign solve sort spend start stay submit suggest supply support tell test track transfer trust try update use verify visit wait want warm watch win write'.split(
      ' ',
    );
  const adjectives =
    'able common digital early east exact extra final first fresh good great green happy huge large last legal level local long main mixed new next north old only other own present primary quick rare ready same second short small special sure sweet tiny total unique upper usual west wide young'.split(
      ' ',
    );
  const links = ['and', 'because', 'but', 'when', 'so that', 'before', 'after', 'while', 'if'];
  const phrase = () =>
    `${one(['the', 'a', 'our', 'this', 'that', 'your', 'every'])} ${next() < 0.6 ? `${one(adjectives)} ` : ''}${one(nouns)}`;
  const clause = () =>
    `${one(['we', 'they', 'you', 'I', 'people', phrase()])} ${one(['can', 'will', 'must', 'should', 'may'])} ${one(verbs)} ${phrase()} ${one(['for', 'with', 'to', 'in', 'of', 'at', 'from'])} ${phrase()}`;
  return Array.from({ length: count }, () => {
    const text = `${clause()}${next() < 0.5 ? ` ${one(links)} ${clause()}` : ''}${next() < 0.3 ? `, ${one(links)} ${clause()}` : ''}`;
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  });
}

/** What people write about changes and rules: the lines of the changelog and of the decisions. */
function realSummaries(): readonly string[] {
  const root = new URL('../../../../', import.meta.url);
  return ['CHANGELOG.md', 'docs/decisions/README.md', 'docs/glossary.md', 'docs/running/limits.md']
    .flatMap((file) => readFileSync(new URL(file, root), 'utf8').split(/\n(?=[-|#])/))
    .filter((text) => text.length > 60);
}
