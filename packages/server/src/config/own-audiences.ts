/**
 * The audiences by which a JWT may name the MCP endpoint of this server (RFC 8707): what its metadata tells clients to ask
 * the issuer for.
 *
 * Where the operator has named neither MACP_AUTH_AUDIENCE nor MCP_PUBLIC_BASE_URL, clients are told the address that they
 * call, and a token for exactly that one is accepted (auth/own-address.ts). The server says so at the start.
 */
import type { OwnAddress } from '../auth/own-address.js';
import type { HttpSettings } from './read-http.js';
import type { SettingReader } from './setting-reader.js';

const PATH = '/mcp';

export interface Reached {
  readonly http: HttpSettings;
  readonly publicBaseUrl?: string | undefined;
}

export interface OwnAudiences {
  readonly audiences: readonly string[];
  readonly ownAddress: OwnAddress;
}

export function ownAudiences(reader: SettingReader, { http, publicBaseUrl }: Reached): OwnAudiences {
  if (publicBaseUrl !== undefined) return { audiences: [publicBaseUrl + PATH], ownAddress: 'none' };
  if (!reader.isSet('MACP_AUTH_ISSUER') || reader.isSet('MACP_AUTH_AUDIENCE'))
    return { audiences: [], ownAddress: 'none' };
  reader.warn(
    'MCP_PUBLIC_BASE_URL is not set: at /mcp a JWT is accepted whose audience is the address that the request was sent ' +
      'to; set it to the address that clients call, such as https://handover.example',
  );
  const { address, trustedProxy } = http;
  const onlyHere = address.loopback && trustedProxy === undefined;
  return { audiences: [], ownAddress: onlyHere ? 'any' : 'named' };
}
