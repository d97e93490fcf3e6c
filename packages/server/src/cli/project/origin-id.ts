/** The id of a project by the address of its repository: the same for everybody who cloned it, however they reach it. */
import { createHash } from 'node:crypto';

const DIGITS = 16;

export const projectId = (kind: 'git' | 'dir', text: string): string =>
  `${kind}:${createHash('sha256').update(text).digest('hex').slice(0, DIGITS)}`;

/** Host and path, without scheme, user, port of a protocol, `.git` and slashes at the end. */
export function canonicalOrigin(url: string): string {
  const { host, path } = parts(url.trim());
  const named = withoutSlashes(withoutSlashes(path).replace(/\.git$/i, ''));
  return host === '' ? named : `${host.toLowerCase()}/${named.replace(/^\/+/, '')}`;
}

/** At its end. By hand: an expression would try every slash of a long row as the first. */
function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** `../other.git` says nothing without the folder it starts from. */
export const isLocalPath = (url: string): boolean => parts(url.trim()).host === '';

const WITH_SCHEME = /^([a-z][a-z0-9+.-]*):\/\/(?:[^@/]*@)?([^/]*)(.*)$/i;
/** As ssh writes it: `git@host:path`. */
const WITHOUT_SCHEME = /^(?:[^@/]+@)?(\[[^\]]+\]|[^:/]+):(?!\/\/)(.*)$/;
/** Of http, https, ssh and git. A server that answers on another one is another server. */
const USUAL_PORT = /:(?:22|80|443|9418)?$/;

function parts(url: string): { readonly host: string; readonly path: string } {
  const [, scheme = '', authority = '', rest = ''] = WITH_SCHEME.exec(url) ?? [];
  if (scheme.toLowerCase() === 'file') return { host: '', path: rest };
  // The port of ssh never is the one that a browser uses, and both lead to one repository.
  const port = /ssh/i.test(scheme) ? /:\d*$/ : USUAL_PORT;
  if (scheme !== '') return { host: authority.replace(port, ''), path: rest };
  const [, host = '', path = ''] = WITHOUT_SCHEME.exec(url) ?? [];
  return host === '' ? { host, path: url } : { host, path };
}
