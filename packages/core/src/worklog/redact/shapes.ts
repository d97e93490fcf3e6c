/**
 * The parts that shapes of named secrets are made of: `password = "…"`, `--password …`, `{\"password\": \"…\"}`.
 *
 * S1. No part begins to look again at what it has looked at: what repeats takes one way only, or has a bound. A text of
 *     twice the length takes twice the time, whatever is in it.
 */

/** Looked for in lines of a kind only. A line goes on behind a backslash at its end. */
export interface ShapeInLines {
  readonly line: RegExp;
  readonly shape: RegExp;
}

const source = (strings: TemplateStringsArray, ...parts: readonly string[]): string =>
  String.raw(strings, ...parts);

export const shapeOf = (text: string, flags = 'gi'): RegExp => new RegExp(text, flags);

/** As it stands, or in JSON that is text in JSON: with backslashes before it. */
export const QUOTE = source`\\{0,3}["']`;
export const BETWEEN = source`\s*(?:=>|(?:=+|:=?)(?![=>]))\s*`;

/** What stands for a value, or says where one is: the whole of it, a password may begin like a variable. */
export const NO_VALUE = source`(?!\s|\$\{|\$\(|\$[A-Z_]\w{0,64}(?:[\s"'/;,)}\]\\:.-]|$)|\{\{|<(?:[^<>\n]{0,64}>|[\s(<])|process\.env|os\.environ|(?:null|none|true|false|undefined)(?![\w+/!#%^*@-])|\*{3,}(?![\w*])|[${'`'}[]{0,2}\[redacted)`;
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

/** Behind a name: which one of several it is, where it belongs to, or how it is written. */
const SUFFIX =
  '(?:[_-]?(?:\\d{1,4}|v\\d{1,3}|prod(?:uction)?|dev(?:elopment)?|test(?:ing)?|stag(?:e|ing)|sandbox|live|local|default|main|primary|secondary|current|old|new|root|admin|db|database|app|api|value|string|text|plain|raw|b(?:ase)?64)){0,2}';

const named = (names: readonly string[]): string => `(?:${names.join('|')})${SUFFIX}`;

/** A key of several words, with `-` or `_` between them or none. */
export const NAMES = named([
  'secret',
  'passw(?:or)?d',
  'passphrase',
  'api[_-]?key',
  'access[_-]?key',
  'secret[_-]?key(?:[_-]?base)?',
  '(?:signing|encryption|account)[_-]?key',
  '(?:auth|access|refresh|session|security)[_-]?token',
  'private[_-]?key',
  'client[_-]?secret',
  'client[_-]key[_-]data',
  'tls\\.key',
  'mnemonic',
  'seed[_-]?phrase',
]);

/** What a person writes with a blank. Without a value that looks like one it is a heading. */
export const SPACED_NAMES = named([
  '(?:secret[ \\t]access|private|api|access|secret|account|signing|encryption)[ \\t]key',
  '(?:auth|access|refresh|session|bearer)[ \\t]token',
  'client[ \\t]secret',
]);

/** The values of these are several words. */
export const NAMES_OF_PHRASES = named([
  '(?:mnemonic|(?:seed|recovery|backup|secret)[ _-]?phrase)(?:[ _-]?(?:phrase|words))?',
  'passphrase',
]);

/** A digit or a sign near its beginning, or longer than any word. Names of variables have none. */
export const IS_NO_NAME = source`(?=[^\s"',;&()<>{}[\]|\\]{0,64}[-+/~!#%^*0-9]|[^\s"',;&()<>{}[\]|\\]{32})`;
