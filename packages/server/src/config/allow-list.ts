/**
 * Which Host and Origin headers HTTP answers: the defence against DNS rebinding. A page on another site can make a
 * browser call a loopback address, but not under a name that is on this list.
 */
export interface AllowList {
  /** The Host header; a missing one is refused. */
  host(header: string | undefined): boolean;
  /** The Origin header; requests without one are not from a page and pass. */
  origin(header: string | undefined): boolean;
}

const HOST_NAME = /^(?:[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?|\[[0-9a-f:.]+\])$/;
const ORIGIN = /^(https?:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:.]+\]))(?::([0-9]{1,5}|\*))?$/;

export function isHostName(text: string): boolean {
  return HOST_NAME.test(text);
}

/** `https://app.example`, with a port, or with `:*` for any port. */
export function isOriginPattern(text: string): boolean {
  return ORIGIN.test(text);
}

export function createAllowList(hosts: readonly string[], origins: readonly string[]): AllowList {
  const names = new Set(hosts);
  const exact = new Set(origins);
  return Object.freeze({
    host: (header: string | undefined) => names.has((header ?? '').toLowerCase().replace(/:[0-9]{1,5}$/, '')),
    origin(header: string | undefined) {
      if (header === undefined) return true;
      const match = ORIGIN.exec(header);
      if (match === null || match[2] === '*') return false;
      return exact.has(header) || exact.has(`${match[1]}:*`);
    },
  });
}
