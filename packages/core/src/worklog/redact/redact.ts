/** Takes secrets out of text that nobody looked through before it is stored: transcripts, diffs, command lines. */
import { UNSEEN } from '../../text.js';
import { REDACTION_RULES, type RedactionRule } from './rules.js';

export interface Redacted {
  readonly text: string;
  /** How often each rule hit; rules that did not are not named. */
  readonly counts: Readonly<Record<string, number>>;
}

/** What was taken out may give the rest a shape: it is looked at until nothing changes, but not for ever. */
const MOST_TIMES = 5;

export function redact(text: string): Redacted {
  const counts: Record<string, number> = {};
  const clean = redactPlain(text, counts);
  // Where a name is written otherwise, the text is kept as it is read: nothing can be taken out of the letters that were sent.
  const read = asRead(clean);
  if (read === clean || secretInPlain(read) === undefined) return { text: clean, counts };
  return { text: redactPlain(read, counts), counts };
}

/** Programs colour names and values apart. */
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]{0,16}m`, 'g');
const FULL_WIDTH = /[\uff01-\uff5e]/g;
const TO_ASCII = 0xfee0;
const UNSEEN_LETTERS = new RegExp(`(?![\\u2028\\u2029])[${UNSEEN}]`, 'gu');

/** Names with letters of full width, or with something in them or behind them that nobody sees. */
const asRead = (text: string): string =>
  text
    .replace(COLOURS, '')
    .replace(FULL_WIDTH, (letter) => String.fromCharCode(letter.charCodeAt(0) - TO_ASCII))
    .replace(UNSEEN_LETTERS, '');

function redactPlain(text: string, counts: Record<string, number>): string {
  let clean = text;
  for (let times = 0; times < MOST_TIMES; times++) {
    const before = clean;
    clean = redactOnce(before, counts);
    if (clean === before) break;
  }
  return clean;
}

function redactOnce(text: string, counts: Record<string, number>): string {
  let clean = text;
  for (const { name, shapes } of REDACTION_RULES)
    for (const shape of shapes)
      clean = replaceIn(clean, shape, (hit, before) => {
        // A shape without a group passes the position here.
        const redacted = `${typeof before === 'string' ? before : ''}[redacted:${name}]`;
        if (hit !== redacted) counts[name] = (counts[name] ?? 0) + 1;
        return redacted;
      });
  return clean;
}

type Shape = RedactionRule['shapes'][number];
type Replace = (hit: string, before: unknown) => string;

function replaceIn(text: string, shape: Shape, replace: Replace): string {
  if (shape instanceof RegExp) return text.replace(shape, replace);
  // Most texts have no such line.
  if (!shape.line.test(text)) return text;
  return linesOf(text)
    .map((line) => (shape.line.test(line) ? line.replace(shape.shape, replace) : line))
    .join('\n');
}

function isIn(text: string, shape: Shape): boolean {
  if (shape instanceof RegExp) return text.search(shape) >= 0;
  return (
    shape.line.test(text) &&
    linesOf(text).some((line) => shape.line.test(line) && line.search(shape.shape) >= 0)
  );
}

const linesOf = (text: string): readonly string[] => text.split(/(?<!\\)\n/);

/** The first rule that would take something out of the text. */
export function secretIn(text: string): string | undefined {
  const read = asRead(text);
  return secretInPlain(text) ?? (read === text ? undefined : secretInPlain(read));
}

function secretInPlain(text: string): string | undefined {
  return REDACTION_RULES.find(({ shapes }) => shapes.some((shape) => isIn(text, shape)))?.name;
}

const SECRET_FILES = new RegExp(
  [
    String.raw`\.env.*|\.netrc|\.npmrc|\.pgpass|\.pypirc|\.htpasswd|\.vault-token|kubeconfig.*`,
    String.raw`.*\.(?:pem|key|p12|pfx|keystore|jks|ppk|tfvars|tfvars\.json|tfstate|tfstate\.backup|kubeconfig)`,
    String.raw`id_.*|credentials.*|secrets\..*|service-account.*\.json`,
    String.raw`\.aws_credentials|\.git-credentials`,
  ]
    .map((names) => `^(?:${names})$`)
    .join('|'),
  // A name may have line breaks in it.
  'is',
);

/** Files that hold secrets by their purpose: they are named, never quoted. */
export function isSecretFile(path: string): boolean {
  return SECRET_FILES.test(path.split(/[\\/]/).at(-1) ?? '');
}

/** The home folder says who the user is, and is different on every machine. */
export function withoutHome(text: string, home: string): string {
  const folder = home.replace(/\/+$/, '');
  if (folder === '') return text;
  // Only whole names: /home/ann must not be found in /home/anna.
  const after = '(?=$|[^A-Za-z0-9_.-])';
  return text.replace(new RegExp(`${folder.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}${after}`, 'g'), '~');
}
