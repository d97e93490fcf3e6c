import type { JwtSettings } from '../auth/auth-settings.js';
import { JwtAlgorithm, readJwks } from '../auth/jwks.js';
import { isLoopback } from './address.js';
import type { OwnAudiences } from './own-audiences.js';
import type { SettingReader } from './setting-reader.js';

const ISSUER = 'MACP_AUTH_ISSUER';
const JSON_KEYS = 'MACP_AUTH_JWKS_JSON';
const URL_KEYS = 'MACP_AUTH_JWKS_URL';

/** `own`: the audiences that name this server's own address. */
export function readJwt(reader: SettingReader, own: OwnAudiences): JwtSettings | undefined {
  const listed = reader.list('MACP_AUTH_JWT_ALGS');
  const algorithms = Object.values(JwtAlgorithm).filter((name) => listed.includes(name));
  const ttlSeconds = reader.integer('MACP_AUTH_JWKS_TTL_SECS');
  const maxLifeSeconds = reader.integer('HANDOVER_JWT_MAX_SECS');
  const keys = readKeys(reader, ttlSeconds);
  const issuer = reader.given(ISSUER);
  if (issuer === undefined) {
    for (const name of [JSON_KEYS, URL_KEYS] as const) {
      if (reader.isSet(name)) reader.problem(name, `needs ${ISSUER}: keys without an issuer check nothing`);
    }
    return undefined;
  }
  if (!reader.isSet(JSON_KEYS) && !reader.isSet(URL_KEYS))
    reader.problem(ISSUER, `needs ${JSON_KEYS} or ${URL_KEYS}`);
  if (keys === undefined) return undefined;
  checkAlgorithms(reader, algorithms, keys);
  const audiences = Object.freeze([reader.text('MACP_AUTH_AUDIENCE'), ...own.audiences]);
  const { ownAddress } = own;
  return Object.freeze({
    issuer,
    audiences,
    ownAddress,
    algorithms: Object.freeze(algorithms),
    maxLifeSeconds,
    keys,
  });
}

function readKeys(reader: SettingReader, ttlSeconds: number): JwtSettings['keys'] | undefined {
  const [json, url] = [reader.given(JSON_KEYS), reader.given(URL_KEYS)];
  if (json !== undefined) {
    if (url !== undefined) reader.warn(`${URL_KEYS} is ignored: ${JSON_KEYS} is set`);
    const read = readJwks(json);
    if (!read.ok) {
      reader.problem(JSON_KEYS, read.flaw);
      return undefined;
    }
    for (const warning of read.warnings) reader.warn(`${JSON_KEYS}: ${warning}`);
    return Object.freeze({ kind: 'inline', keys: Object.freeze(read.keys) });
  }
  if (url === undefined) return undefined;
  if (isAcceptableUrl(url)) return Object.freeze({ kind: 'url', url, ttlSeconds });
  reader.problem(URL_KEYS, 'must be an https URL without user name, or http on loopback');
  return undefined;
}

function checkAlgorithms(
  reader: SettingReader,
  algorithms: readonly JwtAlgorithm[],
  keys: JwtSettings['keys'],
): void {
  if (keys.kind === 'url' && algorithms.includes('HS256')) {
    reader.problem(
      'MACP_AUTH_JWT_ALGS',
      `HS256 needs ${JSON_KEYS}: a shared secret is not something to publish`,
    );
  }
  if (keys.kind === 'inline' && !keys.keys.some(({ algorithm }) => algorithms.includes(algorithm))) {
    const has = [...new Set(keys.keys.map(({ algorithm }) => algorithm))];
    const all = [...algorithms, ...has].join(',');
    reader.problem(
      JSON_KEYS,
      `has keys for ${has.join(', ')} only, which is not allowed; to allow it, set MACP_AUTH_JWT_ALGS=${all}`,
    );
  }
}

function isAcceptableUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return protocol === 'https:' || (protocol === 'http:' && (host === 'localhost' || isLoopback(host)));
}
