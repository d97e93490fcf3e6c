/**
 * A public MACP client of another vendor, unmodified and with its own protocol package, against the real server: in dev
 * mode over plaintext, and with tokens over TLS. What it must see is in flows/.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { BINARY } from '../kit/handover-process.js';
import { selfSigned } from '../kit/self-signed.js';
import { type ServerProcess, startServerProcess } from '../kit/server-process.js';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { FIRST_INSTALL_MS, runScript } from '../python/run-script.js';

const NOT_RUN = 77;

const servers: ServerProcess[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));

async function serve(options: Parameters<typeof startServerProcess>[0]): Promise<string> {
  const server = await startServerProcess(options);
  servers.push(server);
  return server.grpc;
}

const TOKENS = JSON.stringify(
  ['coordinator', 'alice', 'bob', 'carol', 'dave', 'admin'].map((sender) => ({
    token: `${sender}-token`,
    sender,
    can_manage_mode_registry: sender === 'admin',
  })),
);

/** Starts what the flows of a folder need, and says where it is. */
const FLAVOURS: Readonly<Record<string, () => Promise<Record<string, string>>>> = {
  dev: async () => {
    const policies = temporaryFolder();
    const policy = {
      policy_id: 'policy.of.a.file',
      mode: '*',
      description: '',
      rules: {},
      schema_version: 1,
    };
    writeFileSync(join(policies, 'policy.json'), JSON.stringify(policy));
    return {
      MACP_TARGET: await serve({}),
      MACP_READ_ONLY_TARGET: await serve({ env: { MACP_POLICIES_DIR: policies } }),
    };
  },
  tokens: async () => {
    const folder = temporaryFolder();
    const { cert, key } = selfSigned('localhost', { dns: ['localhost'], ip: [127, 0, 0, 1] });
    const [MACP_TLS_CERT_PATH, MACP_TLS_KEY_PATH] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    writeFileSync(MACP_TLS_CERT_PATH, cert);
    writeFileSync(MACP_TLS_KEY_PATH, key, { mode: 0o600 });
    const env = { MACP_AUTH_TOKENS_JSON: TOKENS, MACP_TLS_CERT_PATH, MACP_TLS_KEY_PATH };
    return {
      MACP_TARGET: await serve({ args: [], env }),
      MACP_CERTIFICATE: MACP_TLS_CERT_PATH,
      // How gRPC is told of an authority where a program cannot name one.
      GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: MACP_TLS_CERT_PATH,
    };
  },
};

/** How many flows there are at least; whoever adds some may raise it. */
const LEAST: Readonly<Record<string, number>> = { dev: 70, tokens: 72 };

test.for(Object.entries(FLAVOURS))(
  'macp-sdk-python 0.22.0, %s',
  { timeout: FIRST_INSTALL_MS },
  async ([flavour, start], { skip }) => {
    const env = { ...(await start()), HANDOVER_COMMAND: JSON.stringify([process.execPath, BINARY]) };
    const { code, stdout, stderr } = await runScript('macp-client-tests.mjs', ['every', flavour], env);
    if (code === NOT_RUN) console.warn(stderr.trim());
    skip(code === NOT_RUN, stderr.trim());
    expect(code, `${stdout}\n${stderr}`).toBe(0);
    // Nothing skipped, nothing expected to fail, and nothing that was once there is gone.
    const [, passed] = /^(\d+) passed in \S+$/m.exec(stdout) ?? [];
    expect(Number(passed), stdout).toBeGreaterThanOrEqual(LEAST[flavour] ?? Number.NaN);
  },
);
