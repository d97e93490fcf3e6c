/**
 * Finds private keys and recovery phrases among the values of a document, so that it can be refused before anything is
 * stored. Names of fields have a rule of their own in core.
 *
 * F1. It says where and by which rule, never what.
 * F2. The cost grows with the document and no faster, whatever stands in it.
 * F3. Calldata and creation code are not searched: they are bytes that a chain will see anyway.
 */
import { below, type Codec, type Fields, isFields, isSecretKey, type KeyRule, member } from '@handover/core';
import { isBase58Key } from './base58-key.js';
import { isHexKey } from './hex-key.js';
import { longWords } from './long-words.js';
import { holdsPhrase, type Sha256 } from './phrase.js';

export interface FoundKey {
  /** Dotted from the root. */
  readonly path: string;
  readonly rule: KeyRule;
}

export function findKeyMaterial(value: unknown, { sha256 }: Pick<Codec, 'sha256'>): FoundKey | undefined {
  return search(value, { path: '', name: '' }, sha256);
}

interface At {
  readonly path: string;
  /** Of the nearest field. */
  readonly name: string;
}

function search(value: unknown, at: At, sha256: Sha256): FoundKey | undefined {
  if (typeof value === 'string') return found(at, ruleOfText(value, at.name, sha256));
  if (Array.isArray(value)) return searchList(value, at, sha256);
  if (!isFields(value)) return undefined;
  if (isKeystore(value)) return found(at, 'keystore');
  for (const [name, item] of Object.entries(value)) {
    if (at.name === 'txRequest' && (name === 'data' || name === 'input')) continue;
    const key = search(item, { path: pathOf(at.path, name), name }, sha256);
    if (key) return key;
  }
  return undefined;
}

/** A phrase may be written as a list of its words. */
function searchList(items: readonly unknown[], at: At, sha256: Sha256): FoundKey | undefined {
  for (const [i, item] of items.entries()) {
    const key = search(item, { path: pathOf(at.path, String(i)), name: at.name }, sha256);
    if (key) return key;
  }
  const texts = items.filter((item) => typeof item === 'string');
  return texts.length > 1 && holdsPhrase(texts.join(' '), sha256) ? found(at, 'phrase') : undefined;
}

const found = ({ path }: At, rule: KeyRule | undefined): FoundKey | undefined => rule && { path, rule };

const pathOf = (path: string, name: string): string =>
  path === '' ? below('', name).slice(1) : below(path, name);

const PEM = /-----BEGIN [A-Z0-9 ]{0,32}PRIVATE KEY(?: BLOCK)?-----/;

function ruleOfText(text: string, name: string, sha256: Sha256): KeyRule | undefined {
  if (PEM.test(text)) return 'pem';
  if (isKeystoreText(text)) return 'keystore';
  return ruleOfLongWords(text, name, sha256) ?? (holdsPhrase(text, sha256) ? 'phrase' : undefined);
}

/** How far before a word its meaning is looked for. */
const CONTEXT = 40;

function ruleOfLongWords(text: string, name: string, sha256: Sha256): KeyRule | undefined {
  // What an agent calls a secret may be 64 digits: that it is secret is what the name is for.
  const own = isSecretKey(name) ? '' : name;
  for (const { word, at } of longWords(text)) {
    if (isBase58Key(word, sha256)) return 'base58';
    const before = text.slice(Math.max(0, at - CONTEXT), at);
    if (isHexKey(word, `${own} ${before}`)) return 'hex';
  }
  return undefined;
}

function isKeystore(value: Fields): boolean {
  return ['crypto', 'Crypto'].some((name) => {
    const crypto = member(value, name);
    return member(crypto, 'ciphertext') !== undefined && member(crypto, 'kdf') !== undefined;
  });
}

/** The same, written into a text. */
const isKeystoreText = (text: string): boolean =>
  text.includes('ciphertext') && text.includes('kdf') && /"[cC]rypto\\?"\s{0,16}:/.test(text);
