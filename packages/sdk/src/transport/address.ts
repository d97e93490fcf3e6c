import { isIPv6 } from 'node:net';
import { MacpSessionError } from '../errors.js';

/** Whether an address can be reached from this machine alone; there, plaintext exposes nothing. */
export function isLoopback(address: string): boolean {
  if (isUnix(address)) return true;
  return listed(address).every((one) => {
    const { host } = partsOf(one);
    // Whole octets only: 127.0.0.1.example.com is somebody's server.
    return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
  });
}

/** Refuses what is no gRPC target, in words: gRPC itself would look for a host of that name, or take port 443. */
export function validateAddress(address: string): void {
  if (typeof address !== 'string' || address.trim() === '') refuse('address is missing or blank');
  const [, scheme, rest] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/i.exec(address) ?? [];
  if (scheme !== undefined && !/^(dns|unix)$/i.test(scheme)) {
    const { host, port } = partsOf((rest ?? '').replace(/[/?#].*$/, ''));
    const example = `${host || '127.0.0.1'}:${port || '50051'}`;
    const isHttp = /^https?$/i.test(scheme) ? ' (the port of HTTP is another than that of gRPC)' : '';
    refuse(`address "${address}" is a URL; gRPC takes host:port, such as ${example}${isHttp}`);
  }
  if (isUnix(address)) return;
  for (const one of listed(address)) validatePart(address, one);
}

function validatePart(address: string, one: string): void {
  if (/[\s/?#]/.test(one)) refuse(`address "${address}" is not host:port`);
  const { host, port } = partsOf(one);
  if (host === '') refuse(`address "${address}" has no host; it must be host:port`);
  if (port === undefined)
    refuse(`address "${address}" has no port; it must be host:port, such as ${example(host)}`);
  if (!/^\d{1,5}$/.test(port ?? '') || Number(port) < 1 || Number(port) > 65_535)
    refuse(`address "${address}" has no port from 1 to 65535`);
}

/** Of `::1:50051` the last part is meant as the port. */
function example(host: string): string {
  const [, name, port] = /^(.*:.*):(\d{4,5})$/.exec(host) ?? [];
  return name !== undefined && isIPv6(name) ? `[${name}]:${port}` : `${shown(host)}:50051`;
}

function refuse(message: string): never {
  throw new MacpSessionError(message, 'address');
}

const isUnix = (address: string) => /^unix(-abstract)?:/.test(address);
const shown = (host: string) => (host.includes(':') ? `[${host}]` : host);
const withoutScheme = (address: string) =>
  address.replace(/^(dns|ipv4|ipv6):/, '').replace(/^\/\/[^/]*\//, '');

/** The names in a gRPC target: `host:port`, `[v6]:port`, `ipv4:a:1,b:2`, `ipv6:…`, `dns:///host:port`. */
const listed = (address: string): readonly string[] => withoutScheme(address).split(',');

function partsOf(name: string): { readonly host: string; readonly port: string | undefined } {
  const bracketed = /^\[([^\]]*)\](?::(.*))?$/.exec(name);
  if (bracketed) return { host: bracketed[1] ?? '', port: bracketed[2] };
  const colon = name.lastIndexOf(':');
  const isPlainV6 = colon !== name.indexOf(':');
  if (colon === -1 || isPlainV6) return { host: name, port: undefined };
  return { host: name.slice(0, colon), port: name.slice(colon + 1) };
}
