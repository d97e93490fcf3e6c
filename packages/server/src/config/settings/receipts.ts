/** With which key receipts are signed, and in whose name. */
import type { Setting } from '../setting.js';

export const receiptSettings = [
  {
    name: 'MACP_RUNTIME_ID',
    kind: 'text',
    default: '',
    description:
      'Who issues receipts of the format macp-receipt/1, behind "runtime:"; else the name of this data folder, made of its first key.',
  },
  {
    name: 'MACP_RECEIPT_SIGNING_KEY_PATH',
    kind: 'path',
    default: '',
    description:
      'File with the key that signs receipts, in place of the one of the data folder: Ed25519, as PKCS#8 PEM or a private JWK.',
  },
  {
    name: 'MACP_RECEIPT_SIGNING_KEY',
    kind: 'text',
    default: '',
    secret: true,
    description: 'The same key itself; only one of the two may be set.',
  },
  {
    name: 'MACP_RECEIPT_SIGNING_KID',
    kind: 'text',
    default: '',
    description: 'Name of that key in receipts; else the kid of its JWK, else the beginning of its SHA-256.',
  },
  {
    name: 'MACP_RECEIPT_PUBLIC_KEYS_PATH',
    kind: 'path',
    default: '',
    description:
      'File with a JSON Web Key Set of public keys that signed receipts before; published with those of the data folder.',
  },
] as const satisfies readonly Setting[];
