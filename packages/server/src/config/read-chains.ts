/**
 * Where chains are read, from the environment alone: `XGR_RPC_URL`, `HANDOVER_RPC_URL_<chainId>`,
 * `HANDOVER_PUBLIC_RPC_URL_<chainId>`, `HANDOVER_CONFIRMATIONS`, `HANDOVER_XRC137_CODE_<chainId>`,
 * `HANDOVER_XRC729_CODE_<chainId>`, `HANDOVER_ENTRYPOINTS_<chainId>` and `HANDOVER_SAFE_SINGLETONS_<chainId>`. The names
 * carry a chain id, so they cannot stand in a table of fixed names.
 *
 * C1. No address is assumed: without a setting there is no RPC.
 * C2. A URL is https, or http on loopback. The URL of the server's own RPC may hold a key and is shown to nobody.
 *     Wallets are told the public URL, which must hold no credentials.
 * C3. No problem repeats a value.
 */
import { isLoopback } from './address.js';
import { fixedLimits } from './fixed-limits.js';

export interface ChainSettings {
  /** XGR's own RPC. The server asks it which chain it serves. */
  readonly xgrRpc?: URL;
  readonly rpcs: ReadonlyMap<number, URL>;
  /** The RPC URLs that wallets may be told, by chain. */
  readonly publicRpcs: ReadonlyMap<number, string>;
  readonly confirmations: number;
  /** Creation code that the operator configured, by chain. */
  readonly creationCode: ReadonlyMap<number, { readonly xrc137?: string; readonly xrc729?: string }>;
  readonly smartAccounts: SmartAccounts;
}

/** Contracts of smart accounts that the operator trusts, by chain. Addresses in lowercase. */
export interface SmartAccounts {
  readonly entryPoints: ReadonlyMap<number, readonly string[]>;
  /** What the proxies of Safes run. */
  readonly safeSingletons: ReadonlyMap<number, readonly string[]>;
}

export interface ChainProblem {
  readonly name: string;
  readonly text: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const BY_CHAIN =
  /^HANDOVER_(PUBLIC_RPC_URL|RPC_URL|XRC137_CODE|XRC729_CODE|ENTRYPOINTS|SAFE_SINGLETONS)_([0-9]*)$/;
const ADDRESS = /^0x[0-9a-f]{40}$/;
const DEFAULT_CONFIRMATIONS = 3;
const MAX_CONFIRMATIONS = 1_000;
/** EIP-3860 allows 49,152 bytes of creation code. */
const CREATION_CODE = /^0x(?:[0-9a-f]{2}){1,49152}$/i;

/** Whether this file reads a setting of that name. The check for unknown names asks this. */
export function isChainSetting(name: string): boolean {
  return name === 'XGR_RPC_URL' || name === 'HANDOVER_CONFIRMATIONS' || BY_CHAIN.test(name);
}

export function readChainSettings(env: Environment): {
  readonly settings: ChainSettings;
  readonly problems: readonly ChainProblem[];
} {
  const reading = new Reading();
  for (const [name, value] of Object.entries(env)) if (value) reading.takeByChain(name, value);
  const xgrRpc = env.XGR_RPC_URL ? reading.url('XGR_RPC_URL', env.XGR_RPC_URL) : undefined;
  const confirmations = readConfirmations(env.HANDOVER_CONFIRMATIONS, reading);
  const { rpcs, publicRpcs, creationCode, entryPoints, safeSingletons, problems } = reading;
  const smartAccounts = { entryPoints, safeSingletons };
  const settings = { rpcs, publicRpcs, confirmations, creationCode, smartAccounts };
  return { settings: { ...(xgrRpc && { xgrRpc }), ...settings }, problems };
}

class Reading {
  readonly rpcs = new Map<number, URL>();
  readonly publicRpcs = new Map<number, string>();
  readonly creationCode = new Map<number, { xrc137?: string; xrc729?: string }>();
  readonly entryPoints = new Map<number, readonly string[]>();
  readonly safeSingletons = new Map<number, readonly string[]>();
  readonly problems: ChainProblem[] = [];

  problem(name: string, text: string): void {
    this.problems.push({ name, text });
  }

  url(name: string, value: string): URL | undefined {
    const url = acceptableUrl(value);
    if (url === undefined) this.problem(name, 'must be an https URL, or http on loopback');
    return url;
  }

  takeByChain(name: string, value: string): void {
    const [, kind, digits = ''] = BY_CHAIN.exec(name) ?? [];
    if (kind === undefined) return;
    const chainId = /^[1-9][0-9]{0,15}$/.test(digits) ? Number(digits) : Number.NaN;
    if (!Number.isSafeInteger(chainId)) this.problem(name, 'must end with a chain id');
    else if (kind === 'RPC_URL') this.#takeRpc(chainId, name, value);
    else if (kind === 'PUBLIC_RPC_URL') this.#takePublicRpc(chainId, name, value);
    else if (kind === 'ENTRYPOINTS') this.#takeAddresses(chainId, this.entryPoints, name, value);
    else if (kind === 'SAFE_SINGLETONS') this.#takeAddresses(chainId, this.safeSingletons, name, value);
    else this.#takeCode(chainId, kind === 'XRC137_CODE' ? 'xrc137' : 'xrc729', name, value);
  }

  #takeRpc(chainId: number, name: string, value: string): void {
    const url = this.url(name, value);
    if (url) this.rpcs.set(chainId, url);
  }

  #takePublicRpc(chainId: number, name: string, value: string): void {
    const url = this.url(name, value);
    if (!url) return;
    if (url.username === '' && url.password === '') this.publicRpcs.set(chainId, url.href);
    else this.problem(name, 'is shown to everybody and must hold no credentials');
  }

  #takeAddresses(chainId: number, into: Map<number, readonly string[]>, name: string, value: string): void {
    const most = fixedLimits.trustedContracts.value;
    const addresses = value.split(',').map((one) => one.trim().toLowerCase());
    if (addresses.length <= most && addresses.every((one) => ADDRESS.test(one))) into.set(chainId, addresses);
    else this.problem(name, `must be addresses (0x and 40 hex digits), separated by commas, at most ${most}`);
  }

  #takeCode(chainId: number, which: 'xrc137' | 'xrc729', name: string, value: string): void {
    if (!CREATION_CODE.test(value)) this.problem(name, 'must be creation code: 0x and whole bytes in hex');
    else this.creationCode.set(chainId, { ...this.creationCode.get(chainId), [which]: value.toLowerCase() });
  }
}

function readConfirmations(text: string | undefined, reading: Reading): number {
  if (text === undefined || text === '') return DEFAULT_CONFIRMATIONS;
  const value = /^[0-9]{1,4}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= MAX_CONFIRMATIONS) return value;
  reading.problem('HANDOVER_CONFIRMATIONS', `must be a whole number from 1 to ${MAX_CONFIRMATIONS}`);
  return DEFAULT_CONFIRMATIONS;
}

function acceptableUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const local = host === 'localhost' || isLoopback(host);
  return url.protocol === 'https:' || (url.protocol === 'http:' && local) ? url : undefined;
}
