/**
 * Names that a credential cannot have. A misspelt restriction would restrict nothing, and a misspelt scope grant nothing:
 * neither may pass unseen. What is said repeats the name, cut and without what cannot be seen, and the nearest known one.
 */
import { meant } from '../platform/nearest-name.js';
import { ALL_SCOPES } from './scopes.js';

const MAX_SHOWN = 64;
/** Words of other services are usual in the claim `scope`; with one of these beginnings it was meant for this server. */
const OWN_WORD = /^(?:macp|handoff|operation):/i;

export function unknownField(
  source: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
  whole: string,
): string | undefined {
  const name = Object.keys(source).find((field) => !known.has(field));
  return name === undefined
    ? undefined
    : `${shown(name)} is not a field of ${whole}${meant(shown(name), known)}`;
}

export function unknownScope(words: readonly string[]): string | undefined {
  const word = words.find((name) => !ALL_SCOPES.has(name));
  return word === undefined ? undefined : `${shown(word)} is not a scope${meant(shown(word), ALL_SCOPES)}`;
}

/** Of a text in which words for others stand, too. */
export function unknownOwnScope(words: readonly string[]): string | undefined {
  return unknownScope(words.filter((word) => OWN_WORD.test(word)));
}

function shown(name: string): string {
  return name.slice(0, MAX_SHOWN).replace(/[^\x21-\x7e]/g, '?');
}
