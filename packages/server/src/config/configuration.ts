/**
 * The whole configuration, read once, checked, frozen.
 *
 * C1. Deny by default: missing credentials, a bind beyond loopback without TLS, and anything malformed are errors.
 *     With an error there is no configuration.
 * C2. All problems are reported together, each with the name of its setting, what is wrong and what is allowed.
 * C3. Errors, warnings and the object itself show no secret: the private key and the tokens are not in the object. Only
 *     the RPC URLs in `chains` may hold a key (read-chains.ts C2).
 * C4. An unknown name that looks like ours gives a warning, with the nearest known name.
 */
import { resolve } from 'node:path';
import { type ConfigurationValues, FaultCode, HandoverError } from '@handover/core';
import type { AuthSettings } from '../auth/auth-settings.js';
import type { WebhookEndpoint } from '../effects/webhooks/types.js';
import type { ReceiptSettings } from '../keys/receipt-keys.js';
import type { LogLevel } from '../observe/log.js';
import { type Address, parseAddress } from './address.js';
import { checkClashes } from './address-clashes.js';
import { readChangeable, readSecretNames } from './changeable.js';
import { dataPath, devDataPath } from './data-path.js';
import { checkExposure } from './exposure.js';
import { ownAudiences } from './own-audiences.js';
import { readAuth } from './read-auth.js';
import { type ChainSettings, readChainSettings } from './read-chains.js';
import { isFolder } from './read-file.js';
import { type HttpSettings, readHttp } from './read-http.js';
import { type Limits, readLimits } from './read-limits.js';
import { type McpSettings, readMcp } from './read-mcp.js';
import { type OperationSettings, readOperations } from './read-operations.js';
import { readReceipts } from './read-receipts.js';
import { readStore, type StoreSettings } from './read-store.js';
import { readTaking, type TakingSettings } from './read-taking.js';
import { readTls, type TlsSettings } from './read-tls.js';
import { readWebhooks } from './read-webhooks.js';
import { type SettingDigests, serverDigests } from './setting-digests.js';
import { type Environment, SettingReader } from './setting-reader.js';
import type { SettingName } from './settings.js';
import { settingWarnings } from './unknown-settings.js';

export { settings } from './settings.js';

export interface Configuration {
  readonly grpc: { readonly address: Address; readonly maxConcurrentStreams: number };
  readonly http: HttpSettings;
  readonly mcp: McpSettings;
  readonly operations: OperationSettings;
  readonly taking: TakingSettings;
  readonly chains: ChainSettings;
  /** A listener of its own for metrics. */
  readonly metricsAddress?: Address;
  readonly tls?: TlsSettings;
  readonly auth: AuthSettings;
  readonly store: StoreSettings;
  readonly policiesFolder?: string;
  readonly receipts: ReceiptSettings;
  readonly limits: Limits;
  readonly logLevel: LogLevel;
  /**
   * True when `handover mcp` started the server. It then serves the socket, and over HTTP only what pages need. It ends
   * when nobody uses it.
   */
  readonly forAssistants: boolean;
  readonly idleMs: number;
  /** Which addresses are told about handoffs and operations. */
  readonly webhooks: readonly WebhookEndpoint[];
  /** What the environment says of the settings that can be changed while the server runs, by their shown names. */
  readonly changeable: ConfigurationValues;
  /** Which secrets are set. */
  readonly secretNames: readonly string[];
  /** To be logged once the logger is there. */
  readonly warnings: readonly string[];
  /** Digests of everything that the server was started with; whoever holds the key can compare. */
  readonly settingDigests: (key: string) => SettingDigests;
}

/** The flags of the command line; each wins over the environment. */
export interface ConfigurationFlags {
  readonly dev?: boolean;
  readonly forAssistants?: boolean;
  readonly memoryOnly?: boolean;
  readonly dataDir?: string;
  /** ip:port */
  readonly bind?: string;
  readonly httpHost?: string;
  readonly httpPort?: string;
  readonly logLevel?: string;
}

/** Throws a `CONFIGURATION` fault whose `details` hold the problems by setting. */
export function readConfiguration(env: Environment, flags: ConfigurationFlags = {}): Configuration {
  const forAssistants = flags.forAssistants ?? false;
  const effective = { ...env, ...(forAssistants && onlyLocal(env)), ...overrides(flags) };
  const started = { ...env, ...overrides(flags) };
  const dev = flags.dev ?? false;
  const reader = new SettingReader(effective, dev);
  const allowInsecure = reader.flag('MACP_ALLOW_INSECURE');
  const grpc = readAddress(reader, 'MACP_BIND_ADDR');
  const metrics = reader.isSet('MACP_METRICS_ADDR') ? readAddress(reader, 'MACP_METRICS_ADDR') : undefined;
  const http = readHttp(reader);
  const mcp = readMcp(reader);
  const operations = readOperations(reader);
  const chains = readChainSettings(effective);
  for (const { name, text } of chains.problems) reader.problem(name, text);
  const tls = readTls(reader);
  const auth = forAssistants
    ? NO_CREDENTIALS
    : readAuth(reader, {
        dev,
        allowInsecure,
        ownAudiences: ownAudiences(reader, { http, publicBaseUrl: mcp.publicBaseUrl }),
      });
  const taking = readTaking(reader, { trusting: forAssistants || auth.kind === 'dev' });
  const policiesFolder = readPoliciesFolder(reader);
  const receipts = readReceipts(reader);
  const store = readStore(reader, dev ? devDataPath(effective) : dataPath(effective));
  const limits = readLimits(reader);
  const logLevel = reader.choice('MACP_LOG_LEVEL') as LogLevel;
  const maxConcurrentStreams = reader.integer('MACP_MAX_CONCURRENT_STREAMS');
  const webhooks = readWebhooks(reader, auth.kind === 'dev');
  const changeable = readChangeable(reader);
  checkExposure(reader, {
    grpc,
    http,
    metrics,
    tls,
    auth,
    plaintextOnLoopback: dev || allowInsecure || forAssistants,
  });
  if (forAssistants && store.kind === 'memory')
    reader.problem('MACP_STORAGE_BACKEND', 'must be sqlite: assistants share what is on disk');
  const idleMs = reader.integer('HANDOVER_IDLE_SECS') * 1_000;
  checkClashes(reader, [
    { name: 'MACP_BIND_ADDR', address: grpc, example: '127.0.0.1:50052' },
    { name: 'MCP_HTTP_PORT', address: http.address, example: '3101' },
    ...(metrics ? [{ name: 'MACP_METRICS_ADDR', address: metrics, example: METRICS_EXAMPLE } as const] : []),
  ]);
  if (reader.problems.length > 0) throw configurationFault(reader);
  return Object.freeze({
    grpc: Object.freeze({ address: grpc, maxConcurrentStreams }),
    http,
    mcp,
    operations,
    taking,
    chains: chains.settings,
    ...(metrics === undefined ? {} : { metricsAddress: metrics }),
    ...(tls === undefined ? {} : { tls }),
    auth,
    store,
    ...(policiesFolder === undefined ? {} : { policiesFolder }),
    receipts,
    limits,
    logLevel,
    forAssistants,
    idleMs,
    webhooks,
    changeable,
    secretNames: readSecretNames(reader),
    warnings: Object.freeze([...reader.warnings, ...settingWarnings(env)]),
    settingDigests: (key: string) => serverDigests(started, key),
  });
}

/** No credential is accepted, because the socket has its own token. */
const NO_CREDENTIALS: AuthSettings = Object.freeze({ kind: 'credentials', mtls: false });

/**
 * What a server beside assistants uses instead of the environment. Settings that a user made for another server must
 * not make this one reachable from outside or stop its start.
 */
function onlyLocal(env: Environment): Environment {
  return {
    MCP_HTTP_HOST: '127.0.0.1',
    MCP_HTTP_PORT: env.MCP_HTTP_PORT || '0',
    MACP_BIND_ADDR: '127.0.0.1:0',
    MACP_METRICS_ADDR: '',
    MACP_TLS_CERT_PATH: '',
    MACP_TLS_KEY_PATH: '',
    MACP_TLS_CLIENT_CA_PATH: '',
    HANDOVER_TRUSTED_PROXY: '',
    HANDOVER_DATABASE_URL: '',
  };
}

function overrides(flags: ConfigurationFlags): Partial<Record<SettingName, string>> {
  const { memoryOnly, dataDir, bind, httpHost, httpPort, logLevel } = flags;
  return {
    ...(memoryOnly ? { MACP_MEMORY_ONLY: '1' } : {}),
    ...(dataDir === undefined ? {} : { HANDOVER_DATA_DIR: dataDir }),
    ...(bind === undefined ? {} : { MACP_BIND_ADDR: bind }),
    ...(httpHost === undefined ? {} : { MCP_HTTP_HOST: httpHost }),
    ...(httpPort === undefined ? {} : { MCP_HTTP_PORT: httpPort }),
    ...(logLevel === undefined ? {} : { MACP_LOG_LEVEL: logLevel }),
  };
}

const METRICS_EXAMPLE = '127.0.0.1:9465';

function readAddress(reader: SettingReader, name: 'MACP_BIND_ADDR' | 'MACP_METRICS_ADDR'): Address {
  const address = parseAddress(reader.text(name));
  if (address !== undefined) return address;
  const example = name === 'MACP_METRICS_ADDR' ? METRICS_EXAMPLE : '127.0.0.1:50051 or [::1]:50051';
  reader.problem(name, `must be ip:port, such as ${example}`);
  return { host: '127.0.0.1', port: 0, loopback: true };
}

function readPoliciesFolder(reader: SettingReader): string | undefined {
  const folder = reader.given('MACP_POLICIES_DIR');
  if (folder === undefined) return undefined;
  if (!isFolder(folder)) reader.problem('MACP_POLICIES_DIR', 'must name a folder that exists');
  return resolve(folder);
}

/** With the warnings: nobody else will say them, and one of them may be the reason. */
function configurationFault({ problems, warnings }: SettingReader): HandoverError {
  const details: Record<string, string> = {};
  for (const { name, text } of problems) details[name] = name in details ? `${details[name]}; ${text}` : text;
  const lines = [
    ...problems.map(({ name, text }) => `  ${name}: ${text}`),
    ...warnings.map((text) => `  (${text})`),
  ];
  const title = problems.length === 1 ? 'a setting is wrong' : `${problems.length} settings are wrong`;
  return new HandoverError(FaultCode.CONFIGURATION, `${title}\n${lines.join('\n')}`, {
    next: 'fatal',
    details,
  });
}
