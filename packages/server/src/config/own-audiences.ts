/**
 * The audiences by which a JWT may name the MCP endpoint of this server (RFC 8707): what its metadata tells clients to ask
 * the issuer for.
 *
 * Without MCP_PUBLIC_BASE_URL clients are told the address that they call. A server that only this machine can reach
 * accepts those. One that others can reach does not: `http://localhost:3100/mcp` is also the address of somebody else's
 * server, and a token for that one must not open this one. It needs the setting, and says so at the start.
 */
import { isLoopback } from './address.js';
import type { HttpSettings } from './read-http.js';
import type { TlsSettings } from './read-tls.js';
import type { SettingReader } from './setting-reader.js';

const PATH = '/mcp';

export interface Reached {
  readonly http: HttpSettings;
  readonly tls: TlsSettings | undefined;
  readonly publicBaseUrl?: string | undefined;
}

export function ownAudiences(
  reader: SettingReader,
  { http, tls, publicBaseUrl }: Reached,
): readonly string[] {
  if (publicBaseUrl !== undefined) return [publicBaseUrl + PATH];
  if (!reader.isSet('MACP_AUTH_ISSUER')) return [];
  const { address, allowedHosts, trustedProxy } = http;
  const local = address.loopback && trustedProxy === undefined && address.port !== 0;
  if (local)
    return allowedHosts.filter(isOfLoopback).map((host) => urlOf(host, address.port, tls !== undefined));
  if (!reader.text('MACP_AUTH_AUDIENCE').endsWith(PATH))
    reader.warn(
      'MCP_PUBLIC_BASE_URL is not set: MCP clients are told to get JWTs for the address that they call, and those are ' +
        'refused; set it to that address, such as https://handover.example',
    );
  return [];
}

const isOfLoopback = (host: string): boolean =>
  host === 'localhost' || isLoopback(host.replace(/^\[(.*)\]$/, '$1'));

/** As the metadata writes it: without the port that the scheme has anyway. */
const urlOf = (host: string, port: number, secure: boolean): string =>
  new URL(`${secure ? 'https' : 'http'}://${host}:${port}`).origin + PATH;
