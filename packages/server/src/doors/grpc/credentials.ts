import type { Metadata } from '@grpc/grpc-js';
import { readClientCertificate } from '../../auth/client-certificate.js';
import type { Credentials } from '../../auth/principal.js';

/** The part of a call that says who is calling. */
export interface Caller {
  readonly metadata: Metadata;
  getPeer(): string;
  getAuthContext(): { readonly sslPeerCertificate?: PeerCertificate };
}
type PeerCertificate = Parameters<typeof readClientCertificate>[0];

export type Identify = (call: Caller) => Credentials;

const NONE: Credentials = {};

/** Reads only the headers that it needs, because this runs on every call. */
export function createIdentify(mtls: boolean): Identify {
  return (call) => {
    const [authorization] = call.metadata.get('authorization');
    const [macpToken] = call.metadata.get('x-macp-token');
    if (typeof authorization === 'string')
      return typeof macpToken === 'string' ? { authorization, macpToken } : { authorization };
    if (typeof macpToken === 'string') return { macpToken };
    return mtls ? fromCertificate(call) : NONE;
  };
}

/** Only for a call without a token: a token would win anyway, and reading a certificate is slow. */
function fromCertificate(call: Caller): Credentials {
  const peer = call.getAuthContext().sslPeerCertificate;
  const clientCertificate = peer && readClientCertificate(peer);
  return clientCertificate ? { clientCertificate } : NONE;
}
