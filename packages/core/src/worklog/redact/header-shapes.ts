/** Headers of HTTP that carry credentials: the whole value goes, of a cookie every pair, of other schemes all that follows them. */
import { IS_NO_NAME, NO_PATH, NO_VALUE, QUOTE, shapeOf, word } from './shapes.js';

const named = (names: string): string =>
  String.raw`\b(?:${names})(?:${QUOTE})?\s*[:=]\s*(?:\[(?!redacted:)\s*)?(?:${QUOTE})?`;

/** Up to the end of the line, or of the quotes around it; `name="value"` may have its own. */
const REST = String.raw`(?:[^\r\n"'\\${'`'}]|\\(?!["'nr])|(?<==)(?:"[^"\n\\]{0,512}"|\\"[^"\n\\]{0,512}\\"))`;

const OF_CREDENTIALS = 'authorization|proxy-authorization|x-api-key|cookie|set-cookie';

export const HEADER_SHAPES: readonly RegExp[] = [
  shapeOf(String.raw`(${named('(?:set-)?cookie')})${NO_VALUE}(?=[^\s=;,"'\\]{1,128}=)${REST}{6,}`),
  // One word follows `Bearer`, `Basic` and `Token`; what follows other schemes may be a list of parameters.
  shapeOf(
    String.raw`(${named('(?:proxy-)?authorization')}(?!(?:bearer|basic|token)\s)[a-z][\w-]{1,30}[ \t]{1,8})(?=[^\s"',;]{0,512}[\d=]|[^\s"',;]{20})${NO_VALUE}${NO_PATH}${REST}{6,}`,
  ),
  shapeOf(
    String.raw`(${named(OF_CREDENTIALS)}(?:(?:bearer|basic|token)\s+)?)(?!\[redacted:|\S{1,40}[ \t]{1,8}\[redacted:|[\w.$]{0,80}\()${word(8)}`,
  ),
  shapeOf(`(${named('x-vault-token')})${NO_VALUE}${word(6)}`),
  shapeOf(`(${named('(?:x-[a-z-]{1,30}|private|job|deploy)-token')})${NO_VALUE}${IS_NO_NAME}${word(6)}`),
  // Without the name of the header; a plain word is the word after "bearer" in a sentence.
  /(\bbearer\s{1,8})(?:(?=[a-z._~+/=-]{0,64}\d)[\w.~+/=-]{8,}|[\w.~+/=-]{24,})/gi,
];
