import { type Address, addressOf } from './address.js';
import { type AllowList, createAllowList, isHostName, isOriginPattern } from './allow-list.js';
import { type Cidr, parseCidr } from './cidr.js';
import type { SettingReader } from './setting-reader.js';

export interface HttpSettings {
  readonly address: Address;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly allow: AllowList;
  /** The addresses of a trusted proxy. It counts as TLS for HTTP, and X-Forwarded-For is believed only from it. */
  readonly trustedProxy?: Cidr;
}

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'] as const;

export function readHttp(reader: SettingReader): HttpSettings {
  const address = readHttpAddress(reader);
  const trustedProxy = readProxy(reader);
  const allowedHosts = Object.freeze(reader.list('HANDOVER_ALLOWED_HOSTS').map((name) => name.toLowerCase()));
  const allowedOrigins = Object.freeze(
    reader.list('HANDOVER_ALLOWED_ORIGINS').map((name) => name.toLowerCase()),
  );
  if (!allowedHosts.every(isHostName)) {
    reader.problem(
      'HANDOVER_ALLOWED_HOSTS',
      'must be host names or addresses, without ports, separated by commas',
    );
  }
  if (!allowedOrigins.every(isOriginPattern)) {
    reader.problem(
      'HANDOVER_ALLOWED_ORIGINS',
      'must be origins such as https://app.example, separated by commas',
    );
  }
  if ((!address.loopback || trustedProxy !== undefined) && !reader.isSet('HANDOVER_ALLOWED_HOSTS')) {
    reader.warn(
      'HANDOVER_ALLOWED_HOSTS is not set: HTTP will refuse requests by any name but those of loopback',
    );
  }
  return Object.freeze({
    address,
    allowedHosts,
    allowedOrigins,
    // No page of another site can be reached by a name of loopback, so these are always answered.
    allow: createAllowList([...allowedHosts, ...LOOPBACK_HOSTS], allowedOrigins),
    ...(trustedProxy === undefined ? {} : { trustedProxy }),
  });
}

function readHttpAddress(reader: SettingReader): Address {
  const port = reader.integer('MCP_HTTP_PORT');
  const address = addressOf(reader.text('MCP_HTTP_HOST'), port);
  if (address !== undefined) return address;
  reader.problem('MCP_HTTP_HOST', 'must be an IP address, or localhost');
  return { host: '127.0.0.1', port, loopback: true };
}

function readProxy(reader: SettingReader): Cidr | undefined {
  const text = reader.given('HANDOVER_TRUSTED_PROXY');
  const proxy = text === undefined ? undefined : parseCidr(text);
  if (text !== undefined && proxy === undefined) {
    reader.problem('HANDOVER_TRUSTED_PROXY', 'must be one range such as 10.0.3.0/28, and not all addresses');
  }
  return proxy;
}
