/**
 * Every declared setting is read. The types in wiring.ts ensure this for settings that can be changed while the server
 * runs. Each of the others needs a value in `samples`, or this file does not compile, and the value must make a
 * difference.
 */
import { describe, expect, it } from 'vitest';
import { readConfiguration } from './configuration.js';
import type { Environment } from './setting-reader.js';
import { type KnownSetting, settings } from './settings.js';

type Fixed = Exclude<KnownSetting, { change: unknown } | { ignored: unknown }>;
/** Read by the command line before there is a configuration (cli/conventions/flags.ts, cli/capture). */
type OfCommands = 'HANDOVER_AGENT_ID' | 'HANDOVER_AUTOLOAD' | 'HANDOVER_CAPTURE_PARKS';

interface Sample {
  readonly value: string;
  /** Set in both readings, because the setting means nothing without it. */
  readonly beside?: Environment;
  readonly dev?: false;
}

const jwt = { MACP_AUTH_ISSUER: 'https://issuer.example', MACP_AUTH_JWKS_URL: 'https://issuer.example/keys' };
/** The server refuses this value and names the setting, which shows that it read the setting. */
const nowhere = { value: '/nowhere/at/all' };
const page = { value: 'https://page.example' };
const seconds = { value: '61' };
const few = { value: '70000' };

const samples: Readonly<Record<Exclude<Fixed['name'], OfCommands>, Sample>> = {
  MACP_BIND_ADDR: { value: '127.0.0.1:7001' },
  HANDOVER_LATE_HOURS: { value: '48' },
  MCP_HTTP_HOST: { value: '127.0.0.2' },
  MCP_HTTP_PORT: { value: '7002' },
  MACP_METRICS_ADDR: { value: '127.0.0.1:7003' },
  HANDOVER_ALLOWED_HOSTS: { value: 'a.example' },
  HANDOVER_ALLOWED_ORIGINS: { value: 'https://a.example' },
  HANDOVER_TRUSTED_PROXY: { value: '10.0.0.0/8' },
  HANDOVER_DATA_DIR: nowhere,
  MACP_DATA_DIR: nowhere,
  HANDOVER_DATABASE_URL: { value: 'postgresql://ann:secret@localhost/handover' },
  MACP_MEMORY_ONLY: { value: '1' },
  MACP_STORAGE_BACKEND: { value: 'memory' },
  MACP_TLS_CERT_PATH: nowhere,
  MACP_TLS_KEY_PATH: nowhere,
  MACP_TLS_CLIENT_CA_PATH: nowhere,
  MACP_ALLOW_INSECURE: { value: '1', dev: false },
  HANDOVER_DEV_AGENT: { value: 'someone' },
  MACP_AUTH_TOKENS_JSON: { value: '[]', dev: false },
  MACP_AUTH_TOKENS_FILE: { ...nowhere, dev: false },
  MACP_AUTH_ISSUER: { value: 'https://issuer.example', dev: false },
  MACP_AUTH_AUDIENCE: { value: 'other', beside: { ...jwt, MACP_ALLOW_INSECURE: '1' }, dev: false },
  MACP_AUTH_JWKS_JSON: { value: '{"keys":[]}', dev: false },
  MACP_AUTH_JWKS_URL: { value: 'https://issuer.example/keys', dev: false },
  MACP_AUTH_JWKS_TTL_SECS: { value: '61', beside: { ...jwt, MACP_ALLOW_INSECURE: '1' }, dev: false },
  HANDOVER_JWT_MAX_SECS: { value: '61', beside: { ...jwt, MACP_ALLOW_INSECURE: '1' }, dev: false },
  MACP_AUTH_JWT_ALGS: { value: 'ES256', beside: { ...jwt, MACP_ALLOW_INSECURE: '1' }, dev: false },
  MACP_MAX_CONCURRENT_STREAMS: few,
  MACP_LIST_SESSIONS_DEFAULT_PAGE_SIZE: seconds,
  MACP_LIST_SESSIONS_MAX_PAGE_SIZE: seconds,
  MACP_SHUTDOWN_DRAIN_SECS: seconds,
  MACP_POLICIES_DIR: nowhere,
  MACP_RUNTIME_ID: { value: 'here' },
  MACP_RECEIPT_SIGNING_KEY_PATH: nowhere,
  MACP_RECEIPT_SIGNING_KEY: { value: 'x' },
  MACP_RECEIPT_SIGNING_KID: { value: 'x' },
  MACP_RECEIPT_PUBLIC_KEYS_PATH: nowhere,
  HANDOVER_DISK_FLOOR_BYTES: few,
  HANDOVER_QUEUE_MAX_BYTES: { value: '3000000' },
  HANDOVER_TAIL_BYTES_PER_STREAM: few,
  HANDOVER_TAIL_BYTES_TOTAL: few,
  HANDOVER_LISTENERS_PER_PRINCIPAL: few,
  HANDOVER_LISTENERS_TOTAL: few,
  HANDOVER_LISTENER_BYTES_TOTAL: { value: '3000000' },
  MCP_PUBLIC_BASE_URL: page,
  HANDOVER_TOOLSETS: { value: 'handoff' },
  MCP_OPERATION_DEFAULT_TTL_SECONDS: seconds,
  MCP_OPERATION_MAX_TTL_SECONDS: seconds,
  MCP_BUNDLE_DEPLOY_DEFAULT_TTL_SECONDS: seconds,
  MCP_BUNDLE_DEPLOY_MAX_TTL_SECONDS: seconds,
  MCP_SESSION_START_DEFAULT_TTL_SECONDS: seconds,
  MCP_SESSION_START_MAX_TTL_SECONDS: seconds,
  MCP_XDALA_BUNDLE_DEPLOY_BASE_URL: page,
  MCP_XDALA_SESSION_START_BASE_URL: page,
  HANDOVER_QUERY_SECRETS: { value: '0' },
  HANDOVER_HANDLE_ONLY: { value: '0' },
  HANDOVER_WORKBENCH_ORIGINS: { value: 'https://workbench.example' },
  MCP_PUBLIC_HANDOFF_PER_HANDLE_PER_MINUTE: few,
  MCP_PUBLIC_HANDOFF_PER_IP_PER_MINUTE: few,
  HANDOVER_TAKEOVER: { value: 'off' },
  HANDOVER_TAKEOVER_AFTER_SECS: seconds,
  HANDOVER_OPEN_PARKING: { value: '1' },
  HANDOVER_IDLE_SECS: seconds,
  HANDOVER_WEBHOOKS_FILE: nowhere,
  HANDOVER_WEBHOOK_URL: page,
  HANDOVER_WEBHOOK_SECRET: { value: 'x' },
};

describe('every setting is read', () => {
  it.each(Object.entries(samples))('%s', (name, { value, beside = {}, dev = true }) => {
    expect(reading({ ...beside, [name]: value }, dev)).not.toBe(reading(beside, dev));
  });

  it('and this would notice one that is not', () => {
    const [ignored] = settings.filter((setting) => 'ignored' in setting);
    expect(reading({ [String(ignored?.name)]: 'x' }, true)).toBe(reading({}, true));
  });
});

/** The result as text: the configuration without warnings and names of secrets, or the error. */
function reading(env: Environment, dev: boolean): string {
  try {
    const { warnings: _, secretNames: __, ...configuration } = readConfiguration(env, { dev });
    return JSON.stringify(configuration);
  } catch (fault) {
    return String(fault);
  }
}
