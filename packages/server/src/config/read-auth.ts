/**
 * Which credentials are accepted. Every wrong credential setting is a problem: a server that was meant to check
 * credentials must never start with fewer checks, let alone in dev mode (docs/spec/macp.md 10.2 C17).
 */
import { AGENT_NAME_RULE, isAgentName } from '../auth/agent-name.js';
import type { AuthSettings, JwtSettings } from '../auth/auth-settings.js';
import { readStaticTokens, type StaticTokens } from '../auth/static-tokens.js';
import type { OwnAudiences } from './own-audiences.js';
import { readNamedFile, warnIfReadableByOthers } from './read-file.js';
import { readJwt } from './read-jwt.js';
import type { SettingReader } from './setting-reader.js';

export interface AuthFlags {
  /** The flag --dev was given. */
  readonly dev: boolean;
  readonly allowInsecure: boolean;
  /** Audiences of JWTs that name this server's own address. */
  readonly ownAudiences: OwnAudiences;
}

/** Every setting that asks for real credentials, whether its value is valid or not. */
const CREDENTIALS = [
  'MACP_AUTH_TOKENS_JSON',
  'MACP_AUTH_TOKENS_FILE',
  'MACP_AUTH_ISSUER',
  'MACP_AUTH_JWKS_JSON',
  'MACP_AUTH_JWKS_URL',
  'MACP_TLS_CLIENT_CA_PATH',
] as const;

export function readAuth(reader: SettingReader, flags: AuthFlags): AuthSettings {
  const configured = CREDENTIALS.filter((name) => reader.isSet(name));
  const staticTokens = readTokens(reader);
  const jwt = readJwt(reader, flags.ownAudiences);
  const [first] = configured;
  if (flags.dev && first !== undefined) {
    reader.problem(
      '--dev',
      `checks no credentials, but ${configured.join(', ')} would; use one or the other`,
    );
  }
  if (first !== undefined) return credentials(staticTokens, jwt, reader.isSet('MACP_TLS_CLIENT_CA_PATH'));
  if (!flags.dev && !flags.allowInsecure) {
    reader.problem(
      'MACP_AUTH_*',
      'no authentication configured: set MACP_AUTH_TOKENS_JSON, MACP_AUTH_TOKENS_FILE, MACP_AUTH_ISSUER or ' +
        'MACP_TLS_CLIENT_CA_PATH; to try things out on this machine use --dev or MACP_ALLOW_INSECURE=1',
    );
  }
  const defaultAgent = reader.text('HANDOVER_DEV_AGENT');
  if (!isAgentName(defaultAgent)) reader.problem('HANDOVER_DEV_AGENT', `must be ${AGENT_NAME_RULE}`);
  return Object.freeze({ kind: 'dev', defaultAgent });
}

function credentials(
  staticTokens: StaticTokens | undefined,
  jwt: JwtSettings | undefined,
  mtls: boolean,
): AuthSettings {
  return Object.freeze({
    kind: 'credentials',
    ...(staticTokens === undefined ? {} : { staticTokens }),
    ...(jwt === undefined ? {} : { jwt }),
    mtls,
  });
}

function readTokens(reader: SettingReader): StaticTokens | undefined {
  const inline = reader.given('MACP_AUTH_TOKENS_JSON');
  const name = inline === undefined ? 'MACP_AUTH_TOKENS_FILE' : 'MACP_AUTH_TOKENS_JSON';
  if (inline !== undefined && reader.isSet('MACP_AUTH_TOKENS_FILE')) {
    reader.warn('MACP_AUTH_TOKENS_FILE is ignored: MACP_AUTH_TOKENS_JSON is set');
  }
  const json = inline ?? readNamedFile(reader, name);
  if (json === undefined) return undefined;
  if (inline === undefined) warnIfReadableByOthers(reader, name);
  const read = readStaticTokens(json);
  if (read.ok) return read.tokens;
  for (const flaw of read.flaws) reader.problem(name, flaw);
  return undefined;
}
