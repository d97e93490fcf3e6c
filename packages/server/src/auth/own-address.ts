/**
 * Whether a JWT for the address that a request was sent to is for this server (RFC 8707). The door has checked that the
 * Host is one of its names.
 *
 * `http://localhost:3100/mcp` is also the address of a server on somebody else's machine. A token that was given to that
 * one must not open a server that others can reach, so there only names that are not of loopback count.
 */

export type OwnAddress =
  /** The operator has said for whom tokens are. */
  | 'none'
  /** Only this machine can reach the server. */
  | 'any'
  | 'named';

export function isOwnAddress(own: OwnAddress, resource: string): boolean {
  return own === 'any' || (own === 'named' && !isOfLoopback(new URL(resource).hostname));
}

/** As `URL` writes them. */
const LOOPBACK =
  /^(?:(?:.+\.)?localhost\.?|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:(?:7f[0-9a-f]{2}:[0-9a-f]+|0:0)\])$/;

const isOfLoopback = (host: string): boolean => LOOPBACK.test(host);
