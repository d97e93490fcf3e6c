/**
 * What a value is called. A field like `value` or `hex` says nothing of what it holds: the label beside it does, as in
 * `{ type: 'private key', value: … }`, or else the field in which the object stands. Only words that mean a private key
 * are taken from there, since rows of tables and arguments of calls have labels and values, too.
 */
import type { Fields } from '@handover/core';

const VESSEL = /^(?:hex|values?|val|raw|data|content|text|string|encoded)$/i;
const LABELS = ['type', 'kind', 'label', 'name', 'title', 'field'] as const;
const LONGEST_LABEL = 64;
/** Of a name from both ends. It is read again for each value below it, and nobody calls a thing by more words. */
const LONGEST_END = 256;
const PRIVATE = /priv|secret|seed|mnemonic|sign/i;

/** `outer`: what the object is called. */
export function calledIn(fields: Fields, outer: string): (name: string) => string {
  const labels = LABELS.map((name) => fields[name]).filter(
    (label): label is string => typeof label === 'string' && label.length <= LONGEST_LABEL,
  );
  const around = labels.length > 0 ? labels.join(' ') : outer;
  return (name) => (VESSEL.test(name) ? (PRIVATE.test(around) ? around : '') : bothEnds(name));
}

const bothEnds = (name: string): string =>
  name.length <= 2 * LONGEST_END ? name : `${name.slice(0, LONGEST_END)} ${name.slice(-LONGEST_END)}`;
