/** A name, a sign and a value, as programs, settings, shells and people write them. */
import {
  BETWEEN,
  IS_NO_NAME,
  NAMES,
  NAMES_OF_PHRASES,
  NO_PATH,
  NO_VALUE,
  QUOTE,
  QUOTED,
  SPACED_NAMES,
  shapeOf,
  word,
} from './shapes.js';

const q = `(?<q>${QUOTE})`;
const WORD_OF_PHRASE = String.raw`[^\s"'${'`'}<>{}[\]()=:;,\\]{1,40}`;
/** Where nothing but the phrase can have stood. */
const END = String.raw`(?=[ \t]{0,8}(?:[\r\n"'${'`'}]|\\|$))`;

/** Values of several words: a phrase of which one word is left out is soon complete. */
const PHRASES: readonly RegExp[] = [
  shapeOf(`((?:${NAMES_OF_PHRASES})(?:${QUOTE})?${BETWEEN}\\[)(?!\\s*\\[redacted)[^\\][]{20,2000}(?=\\])`),
  shapeOf(`((?:${NAMES_OF_PHRASES})(?:${QUOTE})?${BETWEEN}${q})${NO_VALUE}(?:${QUOTED})`),
  shapeOf(`((?:${NAMES_OF_PHRASES})${BETWEEN}\`)${NO_VALUE}[^\`\\n]{6,}(?=\`)`),
  shapeOf(
    `((?:${NAMES_OF_PHRASES})${BETWEEN})${NO_VALUE}(?:[a-z]{3,8}(?:[ \\t,]{1,3}[a-z]{3,8}){11,23}(?![a-z])|${WORD_OF_PHRASE}(?:[ \\t]{1,3}${WORD_OF_PHRASE}){2,32}${END})`,
  ),
];

/** Quotes of a shell, of Python, of a template; the text of an element; a value on the next lines. */
const ODD_QUOTES: readonly RegExp[] = [
  shapeOf(`((?:${NAMES})${BETWEEN}\\$')${NO_VALUE}(?:\\\\[^\\n]|[^'\\n\\\\]){6,}(?=')`),
  shapeOf(`((?:${NAMES})${BETWEEN}(?<three>'''|"""))${NO_VALUE}(?:(?!\\k<three>)[^\\n]){6,}(?=\\k<three>)`),
  shapeOf(`((?:${NAMES})(?:${QUOTE})?${BETWEEN}\`)${NO_VALUE}${IS_NO_NAME}[^\`\\n]{6,}(?=\`)`),
  shapeOf(`(<(?:${NAMES})>)${NO_VALUE}[^<>\\n]{6,}(?=</)`),
  shapeOf(`((?:${NAMES})[ \\t]{0,8}[:=]?=[ \\t]{0,8}\\\\\\n[ \\t]{0,40}(?:${QUOTE})?)${NO_VALUE}${word(6)}`),
  shapeOf(
    `((?:${NAMES})(?:${QUOTE})?:[ \\t]{1,8}[|>][+-]?[ \\t]{0,8}\\r?\\n(?<in>[ \\t]{1,40}))${NO_VALUE}[^\\n]{6,}(?:\\n\\k<in>[^\\n]+)*`,
  ),
];

/** Short names. Where a path or a call may stand, or a word of a sentence, the value must look like one. */
const SHORT_NAMES: readonly RegExp[] = [
  shapeOf(`((?:pwd|[_-]pass)(?:${QUOTE})?${BETWEEN}${q})${NO_VALUE}${NO_PATH}(?:${QUOTED})`),
  shapeOf(
    `((?:pwd|[_-]pass|\\b(?:pg|db|my|sa|ssh|ftp|smtp|mail|root|admin|user)pass)=)${NO_VALUE}${NO_PATH}${word(6)}`,
  ),
  shapeOf(`([_-](?:pass|pwd):[ \\t]{1,8})${NO_VALUE}${NO_PATH}${word(6)}`),
  shapeOf(`(\\bpass(?:${QUOTE})?${BETWEEN}${q})${NO_VALUE}${NO_PATH}${IS_NO_NAME}(?:${QUOTED})`),
  shapeOf(`(token(?:${QUOTE})?${BETWEEN}${QUOTE})${NO_VALUE}${NO_PATH}${IS_NO_NAME}${word(8)}`),
  shapeOf(`(token=)${NO_VALUE}${NO_PATH}(?!@)${IS_NO_NAME}${word(8, '&()<>{}[\\]|`')}`),
  shapeOf(`(token:[ \\t]{1,8})${NO_VALUE}${NO_PATH}(?=[^\\s"',;]{0,64}\\d)${word(6, '&()<>{}[\\]|`')}`),
  // Settings of Docker and npm: a name and a password in base64.
  shapeOf(
    `((?:"auth"\\s{0,8}:\\s{0,8}"|(?<![\\w-])_auth\\s{0,8}=\\s{0,8}"?))(?=[^\\s"]{0,512}[\\d=])[\\w+/=-]{12,}`,
  ),
];

export const ASSIGNMENT_SHAPES: readonly RegExp[] = [
  ...PHRASES,
  // In a shell and in its settings a value ends at a blank alone.
  shapeOf(
    `((?<!\\S)[\\w.-]{0,40}?(?:${NAMES})=)(?!["'\\\\\`]|\\$')${NO_VALUE}${NO_PATH}\\S{5,}[^\\s,;)\\]}"']`,
  ),
  shapeOf(`((?:${NAMES})(?:${QUOTE})?${BETWEEN}(?:\\[\\s*)?${q})${NO_VALUE}(?:${QUOTED})`),
  ...ODD_QUOTES,
  // What follows in a list the first of which was taken out.
  shapeOf(
    `((?:${NAMES})${QUOTE}\\s*:\\s*\\[\\s*(?:${QUOTE}\\[redacted:assignment\\]${QUOTE}\\s*,\\s*){1,20}${q})${NO_VALUE}(?:${QUOTED})`,
  ),
  shapeOf(`((?:${NAMES})(?:${QUOTE})?${BETWEEN}(?:${QUOTE})?)${NO_VALUE}${word(6)}`),
  shapeOf(
    `((?:${SPACED_NAMES})[ \\t]{0,8}[:=]\\s{0,8}(?:${QUOTE})?)${NO_VALUE}${NO_PATH}${IS_NO_NAME}${word(8)}`,
  ),
  ...SHORT_NAMES,
];
