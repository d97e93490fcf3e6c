/**
 * The names in a verified client certificate, and the one that counts as the sender: a single URI name, else a single
 * DNS name, else the common name. Two names of the deciding kind are refused: the server must not guess which is meant.
 */
import { AGENT_NAME_RULE, isAgentName } from './agent-name.js';
import type { ClientCertificate } from './principal.js';

/** The part of Node's `PeerCertificate` that is read. */
export interface PeerNames {
  readonly subject?: { readonly CN?: string | readonly string[] | undefined } | undefined;
  readonly subjectaltname?: string | undefined;
}

/** Node gives the names as one line, `URI:a, DNS:b`, and quotes as JSON whatever could be mistaken for a separator. */
const NAME = /(?:^|, )([A-Za-z ]+):("(?:[^"\\]|\\.)*"|[^,"]*)/y;

export function readClientCertificate(peer: PeerNames): ClientCertificate | undefined {
  const names = subjectNames(peer.subjectaltname ?? '');
  if (names === undefined) return undefined;
  const commonName = peer.subject?.CN;
  return {
    uriNames: names.filter(([kind]) => kind === 'URI').map(([, name]) => name),
    dnsNames: names.filter(([kind]) => kind === 'DNS').map(([, name]) => name),
    ...(typeof commonName === 'string' ? { commonName } : {}),
  };
}

export type SenderName =
  | { readonly ok: true; readonly name: string }
  | { readonly ok: false; readonly message: string };

export function senderOf(certificate: ClientCertificate): SenderName {
  const { uriNames, dnsNames, commonName } = certificate;
  const deciding = [uriNames, dnsNames].find((names) => names.length > 0) ?? [commonName];
  const [name, ...others] = deciding;
  if (others.length > 0)
    return { ok: false, message: 'the client certificate has more than one name of its kind' };
  if (name === undefined || name === '') return { ok: false, message: 'the client certificate has no name' };
  if (isAgentName(name)) return { ok: true, name };
  return { ok: false, message: `the name in the client certificate must be ${AGENT_NAME_RULE}` };
}

/** Undefined when the line is not understood to its end: half a list could hide the second name. */
function subjectNames(line: string): readonly (readonly [kind: string, name: string])[] | undefined {
  const names: [string, string][] = [];
  const pattern = new RegExp(NAME);
  while (pattern.lastIndex < line.length) {
    const match = pattern.exec(line);
    if (match === null) return undefined;
    const [, kind = '', text = ''] = match;
    const name = text.startsWith('"') ? unquoted(text) : text;
    if (name === undefined) return undefined;
    names.push([kind, name]);
  }
  return names;
}

function unquoted(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
