/** The first line of a HANDOFF.md that we wrote. It says what it was made from, and that it may be overwritten. */

export interface MdHead {
  readonly session: string;
  /** The number of the last entry that it knows. */
  readonly upTo: number;
  readonly digest: string;
}

const LINE =
  /^\uFEFF?<!-- handover-md@1 session="([^"]{1,4000})" upTo=([0-9]{1,15}) digest="(sha256:[0-9a-f]{64})" -->\r?(?:\n|$)/;

export function headLine({ session, upTo, digest }: MdHead): string {
  // Two hyphens would end the comment; one alone stays, so that keys can be read.
  const name = encodeURIComponent(session).replaceAll('--', '-%2D');
  return `<!-- handover-md@1 session="${name}" upTo=${upTo} digest="${digest}" -->`;
}

/** The head, and where the text below it begins. */
export function readHeadLine(text: string): { readonly head: MdHead; readonly end: number } | undefined {
  const [line, name, upTo, digest = ''] = LINE.exec(text) ?? [];
  const session = name === undefined ? undefined : decoded(name);
  if (line === undefined || session === undefined) return undefined;
  return { head: { session, upTo: Number(upTo), digest }, end: line.length };
}

function decoded(name: string): string | undefined {
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}
