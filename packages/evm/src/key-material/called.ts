/**
 * What a value is called. A field like `value` or `hex` says nothing of what it holds: the label beside it does, as in
 * `{ type: 'private key', value: … }`, or else the field in which the object stands. Only words that mean a private key
 * are taken from there, since rows of tables and arguments of calls have labels and values, too.
 */
import { type Fields, isSecretKey } from '@handover/core';
import { maySpeakOfKeys, meansKey } from './hex-key.js';
import { plainText } from './plain-text.js';

const VESSEL = /^(?:hex|values?|val|raw|data|content|text|string|encoded)$/i;
const LABELS = ['type', 'kind', 'label', 'name', 'title', 'field'] as const;
const LONGEST_LABEL = 64;
/** Of a name from both ends: nobody calls a thing by more words. */
const LONGEST_END = 256;
const PRIVATE = /priv|secret|seed|mnemonic|sign/i;

/** The name of a value. It is read once, however many values have it. */
export class Called {
  readonly name: string;
  #plain: string | undefined;
  #isKey: boolean | undefined;
  #mayBeKey: boolean | undefined;

  constructor(name: string) {
    this.name = name;
  }

  /** Cheap, and true of more than a key. */
  get mayBeKey(): boolean {
    this.#mayBeKey ??= maySpeakOfKeys(this.#read);
    return this.#mayBeKey;
  }

  get isKey(): boolean {
    this.#isKey ??= meansKey(this.#read);
    return this.#isKey;
  }

  /** What an agent calls a secret may be 64 digits: that it is secret is what the name is for. */
  get #read(): string {
    this.#plain ??= isSecretKey(this.name) ? '' : plainText(this.name);
    return this.#plain;
  }
}

/** `outer`: what the object is called. */
export function calledIn(fields: Fields, { name: outer }: Called): (name: string) => Called {
  const labels = LABELS.map((name) => fields[name]).filter(
    (label): label is string => typeof label === 'string' && label.length <= LONGEST_LABEL,
  );
  const around = labels.length > 0 ? labels.join(' ') : outer;
  const vessel = new Called(PRIVATE.test(around) ? around : '');
  return (name) => (VESSEL.test(name) ? vessel : new Called(bothEnds(name)));
}

const bothEnds = (name: string): string =>
  name.length <= 2 * LONGEST_END ? name : `${name.slice(0, LONGEST_END)} ${name.slice(-LONGEST_END)}`;
