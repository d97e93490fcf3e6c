/**
 * What is wrong with a connection that cannot be made, where what gRPC says of it tells. Only mistakes of the caller: a
 * runtime that is down may be up again, and is named without being one (`isDown`).
 */
interface Reached {
  readonly address: string;
  readonly secure: boolean;
}

/** Signs in what gRPC says, and what they mean to whoever wrote the address. */
const SIGNS: readonly (readonly [RegExp, boolean | 'any', (address: string) => string])[] = [
  [
    /wrong version number|packet length too long|tlsv1 alert protocol|http request/i,
    true,
    (address) =>
      `${address} does not speak TLS: say secure: false (and allowInsecure: true, if it is not this machine)`,
  ],
  [
    /Protocol error|HPE_|Parse Error|Received HTTP\/1/i,
    'any',
    (address) =>
      `${address} does not speak gRPC: it is probably the HTTP port of the runtime; its gRPC port is another`,
  ],
  [
    /self-signed|self signed|unable to verify|unable to get (local )?issuer|certificate has expired|certificate is not yet/i,
    true,
    (address) => `the certificate of ${address} is not trusted: give its authority as rootCertificates`,
  ],
  [
    /Hostname\/IP does not match|altnames/i,
    true,
    (address) => `the certificate of ${address} is for another name: use the name that it is for`,
  ],
  [
    /certificate required|bad certificate|unknown ca|alert number 116/i,
    true,
    (address) => `${address} asks for a client certificate that it trusts: give clientCertificate`,
  ],
];

export function connectionMistake(text: string, { address, secure }: Reached): string | undefined {
  const sign = SIGNS.find(([pattern, needs]) => pattern.test(text) && (needs === 'any' || needs === secure));
  return sign?.[2](address);
}

/** In words, where nobody answers; gRPC's own text names sockets. */
export function whyUnavailable(text: string, { address, secure }: Reached): string | undefined {
  if (/ECONNREFUSED/.test(text))
    return `nothing listens at ${address}: is the runtime running, and is it this port?`;
  if (/Name resolution failed|ENOTFOUND|EAI_AGAIN/.test(text))
    return `the name in the address ${address} cannot be resolved`;
  if (/ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/.test(text)) return `${address} cannot be reached from here`;
  if (!secure && /ECONNRESET|socket hang up|Connection dropped|EPIPE|Failed to connect/.test(text))
    return `${address} cuts the connection off: if it speaks TLS, say secure: true`;
  return undefined;
}
