/**
 * What may listen where. A bind beyond loopback always needs TLS and real credentials; MACP_ALLOW_INSECURE and --dev
 * lift this for loopback only.
 */
import type { AuthSettings } from '../auth/auth-settings.js';
import type { Address } from './address.js';
import { fixedLimits } from './fixed-limits.js';
import type { HttpSettings } from './read-http.js';
import type { TlsSettings } from './read-tls.js';
import type { SettingReader } from './setting-reader.js';

export interface Exposure {
  readonly grpc: Address;
  readonly http: HttpSettings;
  readonly metrics: Address | undefined;
  readonly tls: TlsSettings | undefined;
  readonly auth: AuthSettings;
  /** --dev, MACP_ALLOW_INSECURE=1, or a server beside assistants. */
  readonly plaintextOnLoopback: boolean;
}

const MAKE_TOKEN = 'openssl rand -hex 32';
const TLS_NAMES = 'MACP_TLS_CERT_PATH and MACP_TLS_KEY_PATH';

export function checkExposure(reader: SettingReader, exposure: Exposure): void {
  const { grpc, http, metrics, tls, auth, plaintextOnLoopback } = exposure;
  const dev = auth.kind === 'dev';
  const check = (name: string, address: Address, protectedBy: boolean) => {
    if (!address.loopback && dev)
      reader.problem(name, 'is beyond loopback, where real credentials are needed');
    if (protectedBy || (address.loopback && plaintextOnLoopback)) return;
    if (!address.loopback) reader.problem(name, `is beyond loopback, where TLS is needed: set ${TLS_NAMES}`);
    // Without credentials `readAuth` has already reported a problem, and one is enough.
    else if (!dev) {
      reader.problem(name, `needs TLS: set ${TLS_NAMES}, or MACP_ALLOW_INSECURE=1 for plaintext on loopback`);
    }
  };
  check('MACP_BIND_ADDR', grpc, tls !== undefined);
  check('MCP_HTTP_HOST', http.address, tls !== undefined || http.trustedProxy !== undefined);
  checkTokens(reader, exposure);
  // On loopback metrics need no TLS: they hold no secret, and a scraper has no certificate.
  if (metrics !== undefined && !metrics.loopback) check('MACP_METRICS_ADDR', metrics, tls !== undefined);
}

/** Behind a proxy others can reach a server on loopback, too. */
const isReachable = ({ grpc, http, metrics }: Exposure): boolean =>
  http.trustedProxy !== undefined ||
  [grpc, http.address, metrics].some((address) => address !== undefined && !address.loopback);

function checkTokens(reader: SettingReader, exposure: Exposure): void {
  const { auth } = exposure;
  const short = auth.kind === 'credentials' ? (auth.staticTokens?.short ?? []) : [];
  if (short.length === 0) return;
  const name = reader.isSet('MACP_AUTH_TOKENS_JSON') ? 'MACP_AUTH_TOKENS_JSON' : 'MACP_AUTH_TOKENS_FILE';
  const what = `item ${short.join(', ')}: a token of fewer than ${fixedLimits.shortestStaticTokenBytes.value} bytes`;
  if (isReachable(exposure))
    reader.problem(
      name,
      `${what} can be guessed by those who reach this server; make one with: ${MAKE_TOKEN}`,
    );
  else
    reader.warn(
      `${name}: ${what} can be guessed; fit for trying things out only. Make one with: ${MAKE_TOKEN}`,
    );
}
