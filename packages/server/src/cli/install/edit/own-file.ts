/**
 * A file that is ours as a whole. Its mark names the digest of the rest, so that a change by somebody else is noticed. The
 * mark is a comment in the file's own language; front matter must begin on the first line, so there the mark is the second.
 */
import { digestOfText } from './digest.js';
import { type Mark, type Put, type Refusal, refusal, type Taken, type Text } from './edit.js';

const SAID = 'handover:managed';
const MARK_LINE = /^(?:---\r?\n)?(?:# |<!-- )handover:managed (sha256:[0-9a-f]{64})[^\n]*\n/;

export type CommentStyle = 'hash' | 'html';

/** The file's whole text: `content` with the mark. */
export function ownFile(content: string, style: CommentStyle): string {
  const [open, close] = style === 'hash' ? ['#', ''] : ['<!--', ' -->'];
  const line = `${open} ${SAID} ${digestOfText(content)}${close}\n`;
  return content.startsWith('---\n') ? `---\n${line}${content.slice(4)}` : line + content;
}

export function putFile(text: Text, whole: string): Put | Refusal {
  const mark: Mark = { digests: [digestOfText(whole)], lead: '', tail: '', made: 0 };
  if (text === undefined) return { kind: 'added', text: whole, mark };
  if (text === whole) return { kind: 'same', text, mark };
  return whyNotOurs(text) ?? { kind: 'replaced', text: whole, mark };
}

export function takeFile(text: Text): Taken | Refusal {
  if (text === undefined) return { kind: 'gone', text };
  return whyNotOurs(text) ?? { kind: 'removed', text: undefined };
}

function whyNotOurs(text: string): Refusal | undefined {
  const [line, digest] = MARK_LINE.exec(text) ?? [];
  if (line === undefined) return refusal('was not written by this command');
  const opening = line.startsWith('---\n') ? '---\n' : '';
  const rest = opening + text.slice(line.length);
  return digestOfText(rest) === digest ? undefined : refusal('was changed since this command wrote it');
}
