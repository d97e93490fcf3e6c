/**
 * The server's side of TLS. The files are read here, so that the private key is in no object that could be printed.
 * With a client CA, every client must show a certificate; a connection without a valid one cannot make a call.
 */
import { readFileSync } from 'node:fs';
import { ServerCredentials } from '@grpc/grpc-js';
import type { TlsSettings } from '../../config/read-tls.js';

export function serverCredentials(tls: TlsSettings | undefined): ServerCredentials {
  return tls ? new TlsCredentials(tls) : ServerCredentials.createInsecure();
}

/** Replaces `createSsl`, which cannot set a lowest TLS version and would use the default of the Node process. */
class TlsCredentials extends ServerCredentials {
  constructor({ certPath, keyPath, clientCaPath }: TlsSettings) {
    const mtls = clientCaPath !== undefined;
    super(
      { requestCert: mtls, rejectUnauthorized: mtls },
      {
        cert: readFileSync(certPath),
        key: readFileSync(keyPath),
        minVersion: 'TLSv1.2',
        ...(mtls && { ca: readFileSync(clientCaPath) }),
      },
    );
  }

  override _equals(other: ServerCredentials): boolean {
    return this === other;
  }
}
