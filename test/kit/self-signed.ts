/** Makes certificates while a test runs: no key is in the repository, and no tool but Node is needed. */
import { generateKeyPairSync, sign } from 'node:crypto';

export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

const SEQUENCE = 0x30;
const ECDSA_WITH_SHA256 = tlv(SEQUENCE, Buffer.from('06082a8648ce3d040302', 'hex'));
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const SUBJECT_ALT_NAME = Buffer.from('0603551d11', 'hex');

export function selfSigned(
  commonName: string,
  names: {
    readonly dns?: readonly string[];
    readonly uri?: readonly string[];
    readonly ip?: readonly number[];
  } = {},
): TestCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = tlv(SEQUENCE, tlv(0x31, tlv(SEQUENCE, COMMON_NAME, tlv(0x0c, Buffer.from(commonName)))));
  const alternatives = [
    ...(names.uri ?? []).map((text) => tlv(0x86, Buffer.from(text))),
    ...(names.dns ?? []).map((text) => tlv(0x82, Buffer.from(text))),
    ...(names.ip === undefined ? [] : [tlv(0x87, Buffer.from(names.ip))]),
  ];
  const extension = tlv(SEQUENCE, SUBJECT_ALT_NAME, tlv(0x04, tlv(SEQUENCE, ...alternatives)));
  const body = tlv(
    SEQUENCE,
    tlv(0xa0, Buffer.from('020102', 'hex')),
    Buffer.from('020101', 'hex'),
    ECDSA_WITH_SHA256,
    name,
    tlv(SEQUENCE, tlv(0x17, Buffer.from('240101000000Z')), tlv(0x17, Buffer.from('490101000000Z'))),
    name,
    publicKey.export({ format: 'der', type: 'spki' }),
    ...(alternatives.length === 0 ? [] : [tlv(0xa3, tlv(SEQUENCE, extension))]),
  );
  const signature = tlv(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const base64 = tlv(SEQUENCE, body, ECDSA_WITH_SHA256, signature).toString('base64');
  const lines = base64.match(/.{1,64}/g) ?? [];
  return {
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  };
}

/** One DER value: tag, length, content. */
function tlv(tag: number, ...deps: readonly Buffer[]): Buffer {
  const content = Buffer.concat(deps);
  const { length } = content;
  const header =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...header]), content]);
}
