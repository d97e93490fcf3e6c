/** Takes secrets out of text that nobody looked through before it is stored: transcripts, diffs, command lines. */
import { REDACTION_RULES } from './rules.js';

export interface Redacted {
  readonly text: string;
  /** How often each rule hit; rules that did not are not named. */
  readonly counts: Readonly<Record<string, number>>;
}

export function redact(text: string): Redacted {
  const counts: Record<string, number> = {};
  let clean = text;
  for (const { name, shape } of REDACTION_RULES)
    clean = clean.replace(shape, (_, before: unknown) => {
      counts[name] = (counts[name] ?? 0) + 1;
      // A rule without a group passes the position here.
      return `${typeof before === 'string' ? before : ''}[redacted:${name}]`;
    });
  return { text: clean, counts };
}

/** The first rule that would take something out of the text. */
export function secretIn(text: string): string | undefined {
  return REDACTION_RULES.find(({ shape }) => text.search(shape) >= 0)?.name;
}

const SECRET_FILES = new RegExp(
  [
    String.raw`\.env.*|\.netrc|\.npmrc|\.pgpass`,
    String.raw`.*\.(?:pem|key|p12|pfx|keystore)`,
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
