/**
 * The shapes of secrets, in the order in which they are looked for. Where a shape has a group, it is what stands before
 * the value and stays. They find shapes, not secrets: a password in prose has none.
 */
import { BETWEEN, NAMES, NO_PATH, NO_VALUE, QUOTE, QUOTED, shapeOf, word } from './shapes.js';

/** Looked for in lines of a kind only. A line goes on behind a backslash at its end. */
export interface ShapeInLines {
  readonly line: RegExp;
  readonly shape: RegExp;
}

export interface RedactionRule {
  readonly name: string;
  readonly shapes: readonly (RegExp | ShapeInLines)[];
}

const q = `(?<q>${QUOTE})`;
/** A digit or a sign near its beginning: names of variables have none. */
const isNoName = String.raw`(?=[^\s"',;&()<>{}[\]|\\]{0,64}[-+/~!#%^*0-9])`;
/** What follows `--token` in a sentence. */
const noProse =
  '(?!(?:and|options?|flags?|arguments?|parameters?|values?|prompts?|switch|settings?|instead|before|without|because|should|cannot|requires?|which|where|id=)\\b)';
const flag = String.raw`(?<![\w-])--?(?:[a-z0-9]{1,20}-){0,4}(?:passw(?:or)?d|passphrase|pwd|secret|token|(?:api|access|secret)-?key)(?:[ \t]{1,20}|${QUOTE}\s{0,20},\s{0,20}(?=["'\\]))`;

export const REDACTION_RULES: readonly RedactionRule[] = [
  {
    name: 'private-key',
    shapes: [
      /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|$)/g,
    ],
  },
  {
    name: 'aws-key-id',
    shapes: [/\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}\b/g],
  },
  {
    name: 'github',
    shapes: [/\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{50,255})\b/g],
  },
  {
    name: 'gitlab',
    shapes: [/\bglpat-[A-Za-z0-9_-]{20,}/g],
  },
  {
    name: 'slack',
    shapes: [/\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-\d-[A-Z0-9]+-\d+-[a-f0-9]+/g],
  },
  {
    name: 'openai-anthropic',
    shapes: [/\bsk-(?:ant-|proj-|svcacct-|or-)?[A-Za-z0-9_-]{20,}/g],
  },
  {
    name: 'google',
    shapes: [/\bAIza[A-Za-z0-9_-]{35}\b|\bya29\.[A-Za-z0-9_-]{20,}/g],
  },
  {
    name: 'stripe',
    shapes: [/\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}|\bwhsec_[A-Za-z0-9+/=]{20,}/g],
  },
  {
    name: 'vault-sendgrid-docker',
    shapes: [
      /\bhv[sbr]\.[A-Za-z0-9_-]{20,}|\bSG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{20,}|\bdckr_[po]at_[A-Za-z0-9_-]{20,}/g,
    ],
  },
  {
    name: 'npm-pypi-hf',
    shapes: [/\bnpm_[A-Za-z0-9]{36}\b|\bpypi-[A-Za-z0-9_-]{40,}|\bhf_[A-Za-z0-9]{30,}/g],
  },
  {
    name: 'jwt',
    // A word that no token can end is left after one look: without the first two parts every eyJ in it would be tried.
    shapes: [
      /(?<![A-Za-z0-9_-])(?=[A-Za-z0-9_-]+\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10})([A-Za-z0-9_-]*?)\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g,
    ],
  },
  {
    name: 'authorization',
    shapes: [
      shapeOf(
        String.raw`(\b(?:authorization|proxy-authorization|x-api-key|cookie|set-cookie)(?:${QUOTE})?\s*[:=]\s*(?:${QUOTE})?(?:(?:bearer|basic|token)\s+)?)(?!\[redacted)${word(8)}`,
      ),
      shapeOf(String.raw`(\bx-vault-token(?:${QUOTE})?\s*[:=]\s*(?:${QUOTE})?)${NO_VALUE}${word(6)}`),
      // Without the name of the header; a plain word is the word after "bearer" in a sentence.
      /(\bbearer\s{1,8})(?:(?=[a-z._~+/=-]{0,64}\d)[\w.~+/=-]{8,}|[\w.~+/=-]{24,})/gi,
    ],
  },
  {
    name: 'url-query',
    shapes: [
      /([?&](?:access_token|token|api_?key|key|sig|signature|password|secret|code)=)(?!\[redacted)[^&\s#"']{6,}/gi,
    ],
  },
  {
    name: 'assignment',
    shapes: [
      shapeOf(`((?:${NAMES})(?:${QUOTE})?${BETWEEN}(?:\\[\\s*)?${q})${NO_VALUE}(?:${QUOTED})`),
      // Quotes of a shell and of Python, the text of an element, a value on the line behind a backslash.
      shapeOf(`((?:${NAMES})${BETWEEN}\\$')${NO_VALUE}(?:\\\\[^\\n]|[^'\\n\\\\]){6,}(?=')`),
      shapeOf(
        `((?:${NAMES})${BETWEEN}(?<three>'''|"""))${NO_VALUE}(?:(?!\\k<three>)[^\\n]){6,}(?=\\k<three>)`,
      ),
      shapeOf(`(<(?:${NAMES})>)${NO_VALUE}[^<>\\n]{6,}(?=</)`),
      shapeOf(
        `((?:${NAMES})[ \\t]{0,8}[:=]?=[ \\t]{0,8}\\\\\\n[ \\t]{0,40}(?:${QUOTE})?)${NO_VALUE}${word(6)}`,
      ),
      // What follows in a list the first of which was taken out.
      shapeOf(
        `((?:${NAMES})${QUOTE}\\s*:\\s*\\[\\s*(?:${QUOTE}\\[redacted:assignment\\]${QUOTE}\\s*,\\s*){1,20}${q})${NO_VALUE}(?:${QUOTED})`,
      ),
      shapeOf(`((?:${NAMES})(?:${QUOTE})?${BETWEEN}(?:${QUOTE})?)${NO_VALUE}${word(6)}`),
      shapeOf(`((?:pwd|[_-]pass)(?:${QUOTE})?${BETWEEN}${q})${NO_VALUE}${NO_PATH}(?:${QUOTED})`),
      shapeOf(`((?:pwd|[_-]pass)=)${NO_VALUE}${NO_PATH}${word(6)}`),
      shapeOf(`(token(?:${QUOTE})?${BETWEEN}${QUOTE})${NO_VALUE}${NO_PATH}${isNoName}${word(8)}`),
      shapeOf(`(token=)${NO_VALUE}${NO_PATH}(?!@)${isNoName}${word(8, '&()<>{}[\\]|`')}`),
    ],
  },
  {
    name: 'flag',
    shapes: [
      shapeOf(`(${flag}${q})${NO_VALUE}${NO_PATH}(?:${QUOTED})`),
      shapeOf(`(${flag})(?!["'\\\\-])${NO_VALUE}${NO_PATH}${noProse}${word(6, '`)')}`),
      // Short flags that are passwords for these commands, and a password that is piped into sudo.
      {
        line: /\bmysql(?:dump|admin)?\b/i,
        shape: shapeOf(
          `((?<![\\w-])mysql(?:dump|admin)?\\b(?:[ \\t]{1,8}(?!-p)[^\\s;|&]{1,64}){0,8}[ \\t]{1,8}-p(?:${QUOTE})?)${NO_VALUE}${NO_PATH}${word(6)}`,
          'g',
        ),
      },
      {
        line: /\bsshpass\b/,
        shape: shapeOf(`(\\bsshpass[ \\t]{1,8}-p[ \\t]{0,8}(?:${QUOTE})?)${NO_VALUE}${word(6)}`, 'g'),
      },
      {
        line: /\b(?:docker|podman)\b/,
        shape: shapeOf(
          `(\\b(?:docker|podman)[ \\t]{1,8}login\\b(?:[ \\t]{1,8}(?!-p)[^\\s;|&]{1,128}){0,8}[ \\t]{1,8}-p[ =\\t]{0,8}(?:${QUOTE})?)${NO_VALUE}${NO_PATH}${word(6)}`,
          'g',
        ),
      },
      {
        line: /\bredis-cli\b/,
        shape: shapeOf(
          `(\\bredis-cli\\b(?:[ \\t]{1,8}(?!-a\\b)[^\\s;|&]{1,128}){0,8}[ \\t]{1,8}-a[ \\t]{1,8}(?:${QUOTE})?)${NO_VALUE}${word(6)}`,
          'g',
        ),
      },
      {
        line: /\bsudo\b/,
        shape: shapeOf(
          `(\\b(?:echo|printf)[ \\t]{1,8}(?:-\\w{1,4}[ \\t]{1,8})?(?:${QUOTE})?)${NO_VALUE}(?!%s)[^\\s"'|\\\\]{6,256}(?=["']?[ \\t]{0,8}\\|[ \\t]{0,8}sudo[ \\t]{1,8}(?:-\\w{1,4}[ \\t]{1,8}){0,4}-\\w{0,3}S)`,
          'g',
        ),
      },
      // What curl sends as name and password.
      {
        line: /\bcurl\b/i,
        shape: shapeOf(
          String.raw`((?<![\w-])(?:-u|--user)[ =]?(?:${QUOTE})?[^\s:"'\\]{1,64}:)${NO_VALUE}${word(6)}`,
        ),
      },
    ],
  },
  // Last: what others take out may hold a slash, which ends an address here.
  {
    name: 'url-userinfo',
    shapes: [
      // An @ in the password is part of it: the last one ends it.
      /(\b[a-z][a-z0-9+.-]{1,20}:\/\/(?:\[redacted:[a-z-]{1,40}\]|(?!\[redacted:)[^\s/:@]{0,64}):)[^\s/]+(?=@)/gi,
      // A token alone; the name of a user is short, or has no digit.
      /(\bhttps?:\/\/)(?=[^\s/:@]{0,64}\d|[^\s/:@]{20})[^\s/:@]{12,256}(?=@)/gi,
    ],
  },
];
