/**
 * The parts that shapes of named secrets are made of: `password = "…"`, `--password …`, `{\"password\": \"…\"}`.
 *
 * S1. No part begins to look again at what it has looked at: what repeats takes one way only, or has a bound. A text of
 *     twice the length takes twice the time, whatever is in it.
 */

const source = (strings: TemplateStringsArray, ...parts: readonly string[]): string =>
  String.raw(strings, ...parts);

export const shapeOf = (text: string, flags = 'gi'): RegExp => new RegExp(text, flags);

/** As it stands, or in JSON that is text in JSON: with backslashes before it. */
export const QUOTE = source`\\{0,3}["']`;
export const BETWEEN = source`\s*(?:=>|(?:=+|:=?)(?![=>]))\s*`;

/** What stands for a value, or says where one is. */
export const NO_VALUE = source`(?!\s|\$\{|\$\(|\$[A-Z_]|\{\{|<|process\.env|os\.environ|null\b|none\b|true\b|false\b|undefined\b|\*{3}|\[redacted)`;
/** What begins like a path, or is the call of a function. */
export const NO_PATH = source`(?!\/|~|\.{1,2}\/|[A-Z]:[\\/]|file:|env:|[\w.$]{0,80}\()`;

/** One word. The backslash before a quote that ends it belongs to the quote. */
export const word = (least: number, stops = ''): string =>
  source`(?:[^\s"',;\\${stops}]|\\(?!["'])){${String(least)},}`;

/** Behind an opening quote that is the group `q`: all up to its like on the same line, blanks too. */
export const QUOTED = [
  // A plain quote may stand inside behind a backslash.
  source`(?<!\\["'])(?:\\[^\n]|(?!\k<q>)[^\n\\]){6,}(?=\k<q>)`,
  // One with backslashes, behind two more.
  source`(?<=\\["'])(?:\\\\(?:\\[^\n]|[^\n\\])|(?!\k<q>|\\\\)[^\n]){6,}(?=\k<q>)`,
].join('|');

/** A key of several words, with `-` or `_` between them or none. */
export const NAMES = [
  'secret',
  'passw(?:or)?d',
  'passphrase',
  'api[_-]?key',
  'access[_-]?key',
  'secret[_-]?key(?:[_-]?base)?',
  '(?:signing|encryption|account)[_-]?key',
  'auth[_-]?token',
  'access[_-]?token',
  'refresh[_-]?token',
  'private[_-]?key',
  'client[_-]?secret',
  'mnemonic',
  'seed[_-]?phrase',
].join('|');
