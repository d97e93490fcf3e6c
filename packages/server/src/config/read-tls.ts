import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { readNamedFile, warnIfReadableByOthers } from './read-file.js';
import type { SettingReader } from './setting-reader.js';

/** Paths only: the doors read the files, so that the private key is in no object that could be printed. */
export interface TlsSettings {
  readonly certPath: string;
  readonly keyPath: string;
  /** Set: every client must show a certificate signed by one of these. */
  readonly clientCaPath?: string;
}

const CERT = 'MACP_TLS_CERT_PATH';
const KEY = 'MACP_TLS_KEY_PATH';
const CLIENT_CA = 'MACP_TLS_CLIENT_CA_PATH';

/** Certificate and key are tried together here, so that a wrong pair stops the start and not the first connection. */
export function readTls(reader: SettingReader): TlsSettings | undefined {
  const [certPath, keyPath, clientCaPath] = [reader.given(CERT), reader.given(KEY), reader.given(CLIENT_CA)];
  if (certPath === undefined && keyPath !== undefined) reader.problem(CERT, `is needed with ${KEY}`);
  if (keyPath === undefined && certPath !== undefined) reader.problem(KEY, `is needed with ${CERT}`);
  if (clientCaPath !== undefined && (certPath === undefined || keyPath === undefined)) {
    reader.problem(CLIENT_CA, `needs ${CERT} and ${KEY}: client certificates exist only under TLS`);
  }
  const [cert, key, ca] = [
    readNamedFile(reader, CERT),
    readNamedFile(reader, KEY),
    readNamedFile(reader, CLIENT_CA),
  ];
  warnIfReadableByOthers(reader, KEY);
  if (cert !== undefined && !usable({ cert }))
    reader.problem(CERT, 'is not a PEM certificate (it begins with -----BEGIN CERTIFICATE-----)');
  else if (key !== undefined && !usable({ key }))
    reader.problem(
      KEY,
      'is not a PEM private key without a passphrase (it begins with -----BEGIN PRIVATE KEY-----)',
    );
  else if (cert !== undefined && key !== undefined && !usable({ cert, key }))
    reader.problem(
      KEY,
      `is the key of another certificate than the one of ${CERT}; use two files that were made together`,
    );
  if (ca !== undefined && (!ca.includes('-----BEGIN CERTIFICATE-----') || !usable({ ca }))) {
    reader.problem(CLIENT_CA, 'is not a PEM certificate');
  }
  if (certPath === undefined || keyPath === undefined) return undefined;
  return Object.freeze({
    certPath: resolve(certPath),
    keyPath: resolve(keyPath),
    ...(clientCaPath === undefined ? {} : { clientCaPath: resolve(clientCaPath) }),
  });
}

function usable(options: { cert?: string; key?: string; ca?: string }): boolean {
  try {
    createSecureContext(options);
    return true;
  } catch {
    return false;
  }
}
