/** TLS, and when plaintext is allowed. */
import type { Setting } from '../setting.js';

export const tlsSettings = [
  {
    name: 'MACP_TLS_CERT_PATH',
    kind: 'path',
    default: '',
    description: 'Certificate chain (PEM) for gRPC and HTTP.',
  },
  {
    name: 'MACP_TLS_KEY_PATH',
    kind: 'path',
    default: '',
    description: 'Private key (PEM) of that certificate.',
  },
  {
    name: 'MACP_TLS_CLIENT_CA_PATH',
    kind: 'path',
    default: '',
    description:
      'Certificates (PEM) that sign client certificates; setting it requires one from every client.',
  },
  {
    name: 'MACP_ALLOW_INSECURE',
    kind: 'flag',
    default: '',
    description: '1: allow plaintext and, without credentials, dev mode; on loopback only.',
  },
] as const satisfies readonly Setting[];
