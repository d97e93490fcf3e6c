import { type ChannelCredentials, Client, credentials } from '@grpc/grpc-js';
import { validateFlag } from '../arguments.js';
import { MacpSessionError } from '../errors.js';
import { isLoopback, validateAddress } from './address.js';

/** Where and how to connect. */
export interface ChannelSettings {
  /** gRPC target, for example `127.0.0.1:50051`. */
  readonly address: string;
  /** TLS; the default is yes, except on loopback, or where `allowInsecure` is set. */
  readonly secure?: boolean | undefined;
  /** Must be true for plaintext to another machine. */
  readonly allowInsecure?: boolean | undefined;
  /** PEM of the certificates to trust, in place of the system's. */
  readonly rootCertificates?: Uint8Array | undefined;
  /** PEM of a client certificate and its key, for a runtime that asks for one. */
  readonly clientCertificate?: { readonly certificate: Uint8Array; readonly key: Uint8Array } | undefined;
}

const MAX_RECEIVE_BYTES = 64 * 1_048_576;

/** What a client's channels have in common: it is checked once, before anything is sent. */
export interface Endpoint {
  readonly address: string;
  /** With TLS. */
  readonly secure: boolean;
  open(): Client;
}

export function endpointOf(settings: ChannelSettings): Endpoint {
  const { address, secure: wanted, allowInsecure } = settings;
  validateAddress(address);
  validateFlag('secure', wanted);
  validateFlag('allowInsecure', allowInsecure);
  const secure = isSecure(settings);
  const credentials = credentialsFor(secure, settings);
  return { address, secure, open: () => openChannel(address, credentials) };
}

function openChannel(address: string, credentials: ChannelCredentials): Client {
  return new Client(address, credentials, {
    // Each channel has a connection of its own: connections have a limit of streams.
    'grpc.use_local_subchannel_pool': 1,
    // grpc-js waits one second to two minutes between attempts; a client of one server should reconnect sooner.
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 5_000,
    // A stream may be quiet for hours; without pings a dead peer would look the same.
    'grpc.keepalive_time_ms': 60_000,
    'grpc.keepalive_timeout_ms': 20_000,
    // Full lists of policies and pages of sessions are larger than the default of 4 MiB.
    'grpc.max_receive_message_length': MAX_RECEIVE_BYTES,
    // A proxy from the environment cannot reach this machine's own ports.
    ...(isLoopback(address) && { 'grpc.enable_http_proxy': 0 }),
  });
}

function isSecure({
  address,
  allowInsecure = false,
  rootCertificates,
  clientCertificate,
  ...rest
}: ChannelSettings) {
  const wantsTls = rootCertificates !== undefined || clientCertificate !== undefined;
  const secure = rest.secure ?? (wantsTls || !(allowInsecure || isLoopback(address)));
  if (secure || allowInsecure || isLoopback(address)) return secure;
  throw new MacpSessionError(
    `secure: false sends credentials in the clear to ${address}; say allowInsecure: true if that is meant`,
    'secure',
  );
}

function credentialsFor(secure: boolean, settings: ChannelSettings): ChannelCredentials {
  const { rootCertificates, clientCertificate } = settings;
  if (!secure) return credentials.createInsecure();
  const pem = (bytes: Uint8Array | undefined) => (bytes ? Buffer.from(bytes) : null);
  return credentials.createSsl(
    pem(rootCertificates),
    pem(clientCertificate?.key),
    pem(clientCertificate?.certificate),
  );
}
