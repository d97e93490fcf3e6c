/**
 * A real local EVM chain for tests: anvil on a free port of loopback, with funded accounts for as many people as a test has.
 *
 * V1. No test is skipped because anvil is missing: it is installed on demand, and if that fails the test fails with one
 *     line.
 * V2. Only `mine` mines blocks, unless `autoMine` or `blockTimeSeconds` is given: a test says when time passes.
 * V3. The process ends with the test process, even when nobody calls `stop`.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Address, createTestClient, type Hex, http, publicActions, walletActions } from 'viem';
import { type HDAccount, mnemonicToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The public mnemonic of local development chains: its keys protect nothing of value. */
const DEVELOPMENT_MNEMONIC = 'test test test test test test test test test test test junk';
const ACCOUNTS = 60;
const START_TIMEOUT_MS = 30_000;

export interface AnvilOptions {
  /** 31337 unless told. */
  readonly chainId?: number;
  /** A block for every transaction, at once. */
  readonly autoMine?: boolean;
  /** A block every so many seconds, for pages that wait for one. */
  readonly blockTimeSeconds?: number;
}

export type Anvil = Awaited<ReturnType<typeof startAnvil>>;

export async function startAnvil(options: AnvilOptions = {}) {
  const { chainId = 31_337, autoMine = false, blockTimeSeconds } = options;
  const { child, port } = await spawnAnvil([
    '--chain-id',
    String(chainId),
    '--accounts',
    String(ACCOUNTS),
    ...(blockTimeSeconds === undefined ? [] : ['--block-time', String(blockTimeSeconds)]),
    ...(autoMine || blockTimeSeconds !== undefined ? [] : ['--no-mining']),
  ]);
  const url = `http://127.0.0.1:${port}`;
  const client = createTestClient({
    mode: 'anvil',
    chain: { ...foundry, id: chainId },
    transport: http(url),
    pollingInterval: 50,
  })
    .extend(publicActions)
    .extend(walletActions);
  return {
    url,
    port,
    chainId,
    /** viem's client with the public, wallet and test actions. */
    client,
    /** The n-th account; signs locally. */
    account: accountAt,
    mine: (blocks = 1) => client.mine({ blocks }),
    /** Replaces the last blocks by empty ones. Their transactions are gone, from the pool too. */
    async reorg(depth: number): Promise<void> {
      await client.request<{ Method: 'anvil_reorg'; Parameters: [number, []]; ReturnType: null }>({
        method: 'anvil_reorg',
        params: [depth, []],
      });
    },
    /** Creates a contract from the n-th account, mines its block and gives its address. */
    async deploy(n: number, data: Hex): Promise<Address> {
      const hash = await client.sendTransaction({ account: accountAt(n), data });
      await client.mine({ blocks: 1 });
      const { contractAddress, status } = await client.getTransactionReceipt({ hash });
      if (!contractAddress || status !== 'success') throw new Error('the contract was not created');
      return contractAddress;
    },
    stop: () => stopChild(child),
  };
}

const known = new Map<number, HDAccount>();

/** Made when it is asked for: each takes a while. */
function accountAt(addressIndex: number): HDAccount {
  if (addressIndex >= ACCOUNTS)
    throw new Error(`there are ${ACCOUNTS} accounts, none is number ${addressIndex}`);
  const account = known.get(addressIndex) ?? mnemonicToAccount(DEVELOPMENT_MNEMONIC, { addressIndex });
  known.set(addressIndex, account);
  return account;
}

function binary(): string {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/install-tools.mjs'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const name = process.platform === 'win32' ? 'anvil.exe' : 'anvil';
  const path = `${ROOT}tools/node_modules/@foundry-rs/anvil-${process.platform}-${arch}/bin/${name}`;
  if (status === 0 && existsSync(path)) return path;
  throw new Error(stderr.trim().split('\n').at(-1) || `no anvil for ${process.platform} ${process.arch}`);
}

async function spawnAnvil(args: readonly string[]): Promise<{ child: ChildProcess; port: number }> {
  // Port 0: the system chooses, so that two test files never race for one.
  const child = spawn(binary(), ['--host', '127.0.0.1', '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  return { child, port: await listeningPort(child) };
}

function listeningPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let said = '';
    const timer = setTimeout(() => give(new Error(`anvil did not start: ${said}`)), START_TIMEOUT_MS);
    const give = (outcome: number | Error) => {
      clearTimeout(timer);
      if (typeof outcome === 'number') resolve(outcome);
      else reject(outcome);
    };
    child.once('error', give);
    child.once('exit', (code) => give(new Error(`anvil ended with ${code}: ${said}`)));
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    // Read stdout for as long as anvil runs: a full pipe would stop it.
    child.stdout?.on('data', (chunk: Buffer) => {
      if (said.length < 20_000) said += chunk.toString();
      const port = /Listening on 127\.0\.0\.1:(\d+)/.exec(said)?.[1];
      if (port !== undefined) give(Number(port));
    });
  });
}

function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
