/** Passwords among the words of a command: behind flags, behind words, and piped into it. */
import {
  IS_NO_NAME,
  NAMES,
  NO_PATH,
  NO_VALUE,
  QUOTE,
  QUOTED,
  type ShapeInLines,
  shapeOf,
  word,
} from './shapes.js';

const q = `(?<q>${QUOTE})`;
/** What follows `--token` in a sentence. */
const noProse =
  '(?!(?:and|options?|flags?|arguments?|parameters?|values?|prompts?|switch|settings?|instead|before|without|because|should|cannot|requires?|which|where|id=)\\b)';
const flag = String.raw`(?<![\w-])--?(?:[a-z0-9]{1,20}-){0,4}(?:passw(?:or)?d|passphrase|pwd|secret|token|(?:api|access|secret)-?key)(?:[ \t]{1,20}|${QUOTE}\s{0,20},\s{0,20}(?=["'\\]))`;

/** A flag of a command whose words before it are no such flag. Letters count as they are: `-p` and `-P` are two. */
const ofCommand = (command: string, short: string, between = '[ =\\t]{0,8}'): RegExp =>
  shapeOf(
    `((?<![\\w-])(?:${command})\\b(?:[ \\t]{1,8}(?!${short})[^\\s;|&]{1,128}){0,8}[ \\t]{1,8}${short}${between}(?:${QUOTE})?)${NO_VALUE}${NO_PATH}${word(6)}`,
    'g',
  );

const LOGIN = String.raw`(?:docker|podman|nerdctl|buildah|skopeo|az|oc|cf|helm[ \t]{1,8}registry|crane[ \t]{1,8}auth)[ \t]{1,8}login`;

export const COMMAND_SHAPES: readonly (RegExp | ShapeInLines)[] = [
  shapeOf(`(${flag}${q})${NO_VALUE}${NO_PATH}(?:${QUOTED})`),
  shapeOf(`(${flag})(?!["'\\\\-])${NO_VALUE}${NO_PATH}${noProse}${word(6, '`)')}`),
  { line: /\bmysql(?:dump|admin)?\b/i, shape: ofCommand('mysql(?:dump|admin)?', '-p', '') },
  { line: /\bsshpass\b/, shape: ofCommand('sshpass', '-p') },
  { line: /\blogin\b/, shape: ofCommand(LOGIN, '-p') },
  { line: /\bmongo/, shape: ofCommand('mongo(?:sh|dump|restore|export|import)?', '-p(?!ort)') },
  { line: /\bredis-cli\b/, shape: ofCommand('redis-cli', '-a', '[ \\t]{1,8}') },
  { line: /\b(?:unzip|zip|sqlcmd|bcp)\b/, shape: ofCommand('unzip|zip|sqlcmd|bcp', '-P') },
  {
    line: /\bsudo\b/,
    shape: shapeOf(
      `(\\b(?:echo|printf)[ \\t]{1,8}(?:-\\w{1,4}[ \\t]{1,8})?(?:${QUOTE})?)${NO_VALUE}(?!%s)[^\\s"'|\\\\]{6,256}(?=["']?[ \\t]{0,8}\\|[ \\t]{0,8}sudo[ \\t]{1,8}(?:-\\w{1,4}[ \\t]{1,8}){0,4}-\\w{0,3}S)`,
      'g',
    ),
  },
  // What curl sends as name and password, and as cookies.
  {
    line: /\bcurl\b/i,
    shape: shapeOf(
      String.raw`((?<![\w-])(?:-[a-z]{0,6}u|--(?:proxy-)?user)[ =]?(?:${QUOTE})?[^\s:"'\\]{1,64}:)(?!\/\/)${NO_VALUE}${word(6)}`,
    ),
  },
  {
    line: /\bcurl\b/i,
    shape: shapeOf(
      String.raw`((?<![\w-])(?:-b|--cookie)[ =]?${q})${NO_VALUE}(?=[^\s=;,"'\\]{1,128}=)(?:${QUOTED})`,
    ),
  },
  {
    line: /\bcurl\b/i,
    shape: shapeOf(
      String.raw`((?<![\w-])(?:-b|--cookie)[ =]?)(?!["'\\])${NO_VALUE}(?=[^\s=;,"'\\]{1,128}=)\S{6,}`,
    ),
  },
  // Words, not flags.
  {
    line: /\bopenssl\b/,
    shape: shapeOf(`(-pass(?:in|out)?[ =]{1,8}(?:${QUOTE})?pass:)${NO_VALUE}${word(4)}`),
  },
  {
    line: /\bconfig(?:ure)?[ \t]{1,8}set\b/,
    shape: shapeOf(`((?:${NAMES})[ \\t]{1,8}(?:${QUOTE})?)${NO_VALUE}${NO_PATH}${IS_NO_NAME}${word(6)}`),
  },
  {
    line: /\bsecret[ \t]{1,8}set\b/,
    shape: shapeOf(`((?<![\\w-])(?:--body|-b)[ =\\t]{1,8}(?:${QUOTE})?)${NO_VALUE}${word(6)}`),
  },
  {
    line: /\bvault\b/,
    shape: shapeOf(`(\\bvault[ \\t]{1,8}login[ \\t]{1,8})(?!-)${NO_VALUE}${IS_NO_NAME}${word(8)}`),
  },
  shapeOf(
    `((?:\\bmachine[ \\t]{1,8}\\S{1,128}[ \\t]{1,8}|^[ \\t]{0,8})login[ \\t]{1,8}\\S{1,128}\\s{1,8}password[ \\t]{1,8})${NO_VALUE}${IS_NO_NAME}\\S{4,}`,
    'gim',
  ),
  shapeOf(
    `(^[ \\t]{0,8}(?:ENV|ARG)[ \\t]{1,8}[\\w.-]{0,40}?(?:${NAMES})[ \\t]{1,8}(?:${QUOTE})?)${NO_VALUE}${word(6)}`,
    'gim',
  ),
  // SQL.
  shapeOf(
    `((?:\\b(?:with|encrypted|superuser|login|createdb)[ \\t]{1,8}password|\\bidentified[ \\t]{1,8}(?:with[ \\t]{1,8}\\S{1,64}[ \\t]{1,8})?by(?:[ \\t]{1,8}password)?)[ \\t]{1,8}(?<q>["']))${NO_VALUE}[^"'\\n]{4,}(?=\\k<q>)`,
  ),
];
