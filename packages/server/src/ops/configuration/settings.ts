/**
 * Every environment name the server knows. It is data and nothing else, which is why it may be long: the names of
 * macp.md 6.6 that make sense here, and our own under HANDOVER_.
 */
import type { Setting } from './setting.js';

const SAFE = Number.MAX_SAFE_INTEGER;
/** Longest time that a timer can hold. */
const MAX_SECONDS = 2_147_483;

export const settings = [
  {
    name: 'MACP_BIND_ADDR',
    kind: 'address',
    default: '127.0.0.1:50051',
    description: 'Where gRPC listens; port 0 picks a free one.',
  },
  {
    name: 'MCP_HTTP_HOST',
    kind: 'host',
    default: '127.0.0.1',
    description: 'Where HTTP listens: an IP address, or localhost.',
  },
  {
    name: 'MCP_HTTP_PORT',
    kind: 'integer',
    default: '3100',
    min: 0,
    max: 65_535,
    description: 'Port of HTTP; 0 picks a free one.',
  },
  {
    name: 'MACP_METRICS_ADDR',
    kind: 'address',
    default: '',
    description: 'A listener of its own for Prometheus metrics.',
  },
  {
    name: 'HANDOVER_ALLOWED_HOSTS',
    kind: 'list',
    default: 'localhost,127.0.0.1,[::1]',
    description: 'Host names by which HTTP may be called, without ports.',
  },
  {
    name: 'HANDOVER_ALLOWED_ORIGINS',
    kind: 'list',
    default:
      'http://localhost:*,http://127.0.0.1:*,http://[::1]:*,https://localhost:*,https://127.0.0.1:*,https://[::1]:*',
    description: 'Web origins that may call HTTP; `:*` stands for any port.',
  },
  {
    name: 'HANDOVER_TRUSTED_PROXY',
    kind: 'cidr',
    default: '',
    description:
      'Addresses of the proxy in front of HTTP; it counts as TLS, and X-Forwarded-For is believed from it.',
  },
  {
    name: 'HANDOVER_DATA_DIR',
    kind: 'path',
    default: '',
    description:
      'Data folder; else MACP_DATA_DIR, else $XDG_DATA_HOME/handover, else ~/.local/share/handover.',
  },
  {
    name: 'MACP_DATA_DIR',
    kind: 'path',
    default: '',
    description: 'Data folder, when HANDOVER_DATA_DIR is not set.',
  },
  {
    name: 'MACP_MEMORY_ONLY',
    kind: 'flag',
    default: '',
    description: '1: keep everything in memory; nothing survives the process.',
  },
  {
    name: 'MACP_STORAGE_BACKEND',
    kind: 'choice',
    default: 'sqlite',
    choices: ['sqlite', 'file', 'memory'],
    description: 'sqlite (`file` means the same), or memory.',
  },
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
  {
    name: 'HANDOVER_DEV_AGENT',
    kind: 'text',
    default: 'dev',
    description: 'In dev mode, the agent of an HTTP request without a bearer.',
  },
  {
    name: 'MACP_AUTH_TOKENS_JSON',
    kind: 'json',
    default: '',
    secret: true,
    description: 'Static tokens: a list, or {"tokens": [...]}.',
  },
  {
    name: 'MACP_AUTH_TOKENS_FILE',
    kind: 'path',
    default: '',
    description: 'File with the static tokens, when MACP_AUTH_TOKENS_JSON is not set.',
  },
  {
    name: 'MACP_AUTH_ISSUER',
    kind: 'text',
    default: '',
    description:
      'Issuer of JWTs; setting it turns JWTs on and needs MACP_AUTH_JWKS_JSON or MACP_AUTH_JWKS_URL.',
  },
  {
    name: 'MACP_AUTH_AUDIENCE',
    kind: 'text',
    default: 'macp-runtime',
    description: 'Audience that a JWT must name.',
  },
  {
    name: 'MACP_AUTH_JWKS_JSON',
    kind: 'json',
    default: '',
    secret: true,
    description: 'Keys of the issuer, as a JSON Web Key Set.',
  },
  {
    name: 'MACP_AUTH_JWKS_URL',
    kind: 'url',
    default: '',
    description: 'Where the issuer publishes its keys: https, or http on loopback.',
  },
  {
    name: 'MACP_AUTH_JWKS_TTL_SECS',
    kind: 'integer',
    default: '300',
    min: 1,
    max: 86_400,
    description: 'How long fetched keys are fresh.',
  },
  {
    name: 'MACP_AUTH_JWT_ALGS',
    kind: 'list',
    default: 'RS256,ES256',
    choices: ['RS256', 'ES256', 'EdDSA', 'HS256'],
    description: 'Signature algorithms that are accepted.',
  },
  {
    name: 'MACP_MAX_PAYLOAD_BYTES',
    kind: 'integer',
    default: '1048576',
    min: 1,
    max: 1_048_576,
    description: 'Largest payload; the protocol cap of 1 MiB can only be lowered.',
  },
  {
    name: 'MACP_SESSION_START_LIMIT_PER_MINUTE',
    kind: 'integer',
    default: '60',
    min: 1,
    max: 1_000_000,
    description: 'Session starts per sender in any 60 seconds.',
  },
  {
    name: 'MACP_MESSAGE_LIMIT_PER_MINUTE',
    kind: 'integer',
    default: '600',
    min: 1,
    max: 1_000_000,
    description: 'Other messages per sender in any 60 seconds.',
  },
  {
    name: 'MACP_MAX_CONCURRENT_STREAMS',
    kind: 'integer',
    default: '128',
    min: 1,
    max: 2_147_483_647,
    description: 'HTTP/2 streams per gRPC connection.',
  },
  {
    name: 'MACP_REQUEST_TIMEOUT_SECS',
    kind: 'integer',
    default: '30',
    min: 1,
    max: MAX_SECONDS,
    description: 'Time limit of one unary request.',
  },
  {
    name: 'MACP_LIST_SESSIONS_DEFAULT_PAGE_SIZE',
    kind: 'integer',
    default: '1000',
    min: 1,
    max: 10_000,
    description: 'Page size when a list asks for none.',
  },
  {
    name: 'MACP_LIST_SESSIONS_MAX_PAGE_SIZE',
    kind: 'integer',
    default: '1000',
    min: 1,
    max: 10_000,
    description: 'Largest page that a list answers.',
  },
  {
    name: 'MACP_CLEANUP_INTERVAL_SECS',
    kind: 'integer',
    default: '60',
    min: 1,
    max: MAX_SECONDS,
    description: 'How often sessions past their deadline are looked for, beside the timers.',
  },
  {
    name: 'MACP_SHUTDOWN_DRAIN_SECS',
    kind: 'integer',
    default: '10',
    min: 0,
    max: 3_600,
    description: 'How long open requests may take to finish after SIGINT or SIGTERM.',
  },
  {
    name: 'MACP_POLICIES_DIR',
    kind: 'path',
    default: '',
    description: 'Folder of policy files; they are the whole registry, which is then read-only.',
  },
  {
    name: 'MACP_LOG_LEVEL',
    kind: 'choice',
    default: 'info',
    choices: ['debug', 'info', 'warn', 'error', 'silent'],
    description: 'How much is logged to stderr.',
  },
  {
    name: 'HANDOVER_DISK_FLOOR_BYTES',
    kind: 'integer',
    default: '67108864',
    min: 0,
    max: SAFE,
    description: 'Nothing is accepted while less disk than this is free.',
  },
  {
    name: 'HANDOVER_QUEUE_MAX_COMMANDS',
    kind: 'integer',
    default: '4096',
    min: 1,
    max: 1_000_000,
    description: 'Commands that may wait for the log.',
  },
  {
    name: 'HANDOVER_QUEUE_MAX_BYTES',
    kind: 'integer',
    default: '67108864',
    min: 2_097_152,
    max: SAFE,
    description: 'Bytes of commands that may wait for the log.',
  },
  {
    name: 'HANDOVER_TAIL_BYTES_PER_STREAM',
    kind: 'integer',
    default: '262144',
    min: 0,
    max: SAFE,
    description: 'Newest entries of one stream kept in memory for subscribers.',
  },
  {
    name: 'HANDOVER_TAIL_BYTES_TOTAL',
    kind: 'integer',
    default: '67108864',
    min: 0,
    max: SAFE,
    description: 'The same for all streams together.',
  },
  {
    name: 'HANDOVER_SUBSCRIBER_BUDGET_BYTES',
    kind: 'integer',
    default: '1048576',
    min: 65_536,
    max: SAFE,
    description: 'How far a subscriber may fall behind before its stream ends, resumably.',
  },
  ignored('MACP_CONCURRENCY_LIMIT_PER_CONNECTION', 'the queue bounds all connections together'),
  ignored('MACP_STRICT_RECOVERY', 'recovery is always strict'),
  ignored('MACP_POLICIES_DRY_RUN', 'policies are always checked before the server is ready'),
  ignored('MACP_CHECKPOINT_INTERVAL', 'the log is never replaced by checkpoints'),
  ignored('MACP_SESSION_RETENTION_SECS', 'memory is bounded by bytes, not by age'),
  ignored('MACP_SESSION_DISK_RETENTION_SECS', 'finished sessions are kept; nothing is removed yet'),
  ignored('MACP_ROCKSDB_PATH', 'there is no RocksDB storage'),
  ignored('MACP_REDIS_URL', 'there is no Redis storage'),
] as const satisfies readonly Setting[];

export type SettingName = (typeof settings)[number]['name'];

function ignored<const Name extends string>(name: Name, reason: string) {
  return { name, kind: 'text', default: '', description: `Ignored: ${reason}.`, ignored: reason } as const;
}
