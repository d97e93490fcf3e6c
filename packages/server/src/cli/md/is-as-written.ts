/** Whether a HANDOFF.md that we wrote still says what we wrote: its first line has the digest of the text below. */
import { nodeCodec } from '../../platform/node-codec.js';
import { readHeadLine } from './head-line.js';

/** Line ends that Git or an editor changed are no edit. Undefined: it was not written by us. */
export function isAsWritten(file: string): boolean | undefined {
  const found = readHeadLine(file);
  if (!found) return undefined;
  const body = file.slice(found.end);
  return [body, body.replaceAll('\r\n', '\n')].some(
    (text) => digestOf(text.replace(/\n$/, '')) === found.head.digest,
  );
}

const digestOf = (text: string): string => `sha256:${nodeCodec.sha256(nodeCodec.utf8(text))}`;
