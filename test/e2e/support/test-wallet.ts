/**
 * A wallet for tests: an EIP-6963 provider in the page, an account of the local chain behind it in this process. It asks
 * nobody: `decide` stands for the person, and every prompt is kept. `signed` stands for what may happen between the
 * signature and the moment in which the page hears of it.
 */
import type { BrowserContext } from 'playwright-core';
import { type Hex, keccak256, type LocalAccount, type TypedDataDefinition } from 'viem';

export interface Prompt {
  readonly method: string;
  readonly params: readonly unknown[];
}

export type Decision = 'approve' | 'reject';

export interface TestWalletOptions {
  readonly account: LocalAccount;
  readonly rpcUrl: string;
  readonly chainId: number;
  /** Whether the wallet already knows the chain it is asked to switch to. */
  readonly knows?: (chainId: number) => boolean;
}

const PROMPTS = new Set(['eth_sendTransaction', 'eth_signTypedData_v4']);

export class WalletError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export class TestWallet {
  readonly prompts: Prompt[] = [];
  readonly added: unknown[] = [];
  account: LocalAccount;
  chainId: number;
  decide: (prompt: Prompt) => Decision | Promise<Decision> = () => 'approve';
  /** Called with what the wallet has signed or sent, before the page gets it; what it throws is all that the page gets. */
  signed: (value: string) => unknown = () => undefined;
  /** Takes what was signed to the network. A test may keep it, and take it there later. */
  broadcast: (raw: Hex) => Promise<unknown> = (raw) => this.rpc('eth_sendRawTransaction', [raw]);
  /** A call that it answers with an error. */
  refuses: { readonly method: string; readonly error: WalletError } | undefined;
  /** Gives a transaction its number when the prompt opens, not when it is signed. */
  numbersPrompts = false;
  readonly #rpcUrl: string;
  readonly #known: (chainId: number) => boolean;
  readonly #added = new Set<number>();

  constructor({ account, rpcUrl, chainId, knows = () => true }: TestWalletOptions) {
    this.account = account;
    this.chainId = chainId;
    this.#rpcUrl = rpcUrl;
    this.#known = knows;
  }

  /** Before the first page of the context is opened. */
  async install(context: BrowserContext): Promise<void> {
    await context.exposeFunction('__testWallet', async (text: string) => {
      const { method, params = [] } = JSON.parse(text) as { method: string; params?: readonly unknown[] };
      try {
        return JSON.stringify({ result: await this.#answer(method, params) });
      } catch (thrown) {
        const code = thrown instanceof WalletError ? thrown.code : -32_603;
        return JSON.stringify({
          error: { code, message: thrown instanceof Error ? thrown.message : 'failed' },
        });
      }
    });
    // Runners that keep names leave a helper in the text of functions, which the page does not have.
    const content = `{ const __name = (value) => value; (${announceProvider.toString()})(); }`;
    await context.addInitScript({ content });
  }

  async #answer(method: string, params: readonly unknown[]): Promise<unknown> {
    if (this.refuses?.method === method) throw this.refuses.error;
    if (PROMPTS.has(method)) {
      const prompt = { method, params };
      this.prompts.push(prompt);
      if (this.numbersPrompts && method === 'eth_sendTransaction') params = [await this.#numbered(params[0])];
      if ((await this.decide(prompt)) === 'reject') throw new WalletError(4001, 'User rejected the request.');
    }
    switch (method) {
      case 'eth_requestAccounts':
      case 'eth_accounts':
        return [this.account.address];
      case 'eth_chainId':
        return `0x${this.chainId.toString(16)}`;
      case 'wallet_switchEthereumChain':
        return this.#switch(Number((params[0] as { chainId: string }).chainId));
      case 'wallet_addEthereumChain':
        this.added.push(params[0]);
        this.#added.add(Number((params[0] as { chainId: string }).chainId));
        return null;
      case 'eth_sendTransaction':
        return this.#given(await this.#send(params[0] as Record<string, Hex>));
      case 'eth_signTypedData_v4':
        return this.#given(
          await this.account.signTypedData(JSON.parse(params[1] as string) as TypedDataDefinition),
        );
      default:
        return this.rpc(method, params);
    }
  }

  async #numbered(transaction: unknown): Promise<unknown> {
    const { from, nonce } = transaction as Record<string, Hex>;
    return {
      ...(transaction as object),
      nonce: nonce ?? (await this.rpc('eth_getTransactionCount', [from, 'pending'])),
    };
  }

  async #given(value: unknown): Promise<unknown> {
    await this.signed(String(value));
    return value;
  }

  #switch(chainId: number): null {
    if (!this.#known(chainId) && !this.#added.has(chainId))
      throw new WalletError(4902, 'Unrecognized chain ID.');
    this.chainId = chainId;
    return null;
  }

  async #send(transaction: Record<string, Hex>): Promise<unknown> {
    const { from = '0x', to, value = '0x0', data = '0x', chainId, nonce: fixed } = transaction;
    if (from.toLowerCase() !== this.account.address.toLowerCase())
      throw new WalletError(4100, 'Unknown account.');
    if (chainId !== undefined && Number(chainId) !== this.chainId)
      throw new WalletError(-32_602, 'Wrong chain.');
    const request = { from, ...(to && { to }), value, data };
    const [gas, nonce, gasPrice] = (await Promise.all([
      this.rpc('eth_estimateGas', [request]),
      this.rpc('eth_getTransactionCount', [from, 'pending']),
      this.rpc('eth_gasPrice', []),
    ])) as [Hex, Hex, Hex];
    const signed = await this.account.signTransaction({
      type: 'legacy',
      chainId: this.chainId,
      ...(to && { to }),
      value: BigInt(value),
      data,
      gas: BigInt(gas),
      nonce: Number(fixed ?? nonce),
      gasPrice: BigInt(gasPrice) * 2n,
    });
    await this.broadcast(signed);
    return keccak256(signed);
  }

  async rpc(method: string, params: readonly unknown[]): Promise<unknown> {
    const response = await fetch(this.#rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as {
      result?: unknown;
      error?: { code: number; message: string };
    };
    if (error) throw new WalletError(error.code, error.message);
    return result;
  }
}

/** Runs in the page, before its own scripts. */
function announceProvider(): void {
  type Listener = (value: unknown) => void;
  const page = window as unknown as {
    __testWallet(text: string): Promise<string>;
    __emit(event: string, value: unknown): void;
  };
  const listeners = new Map<string, Listener[]>();
  page.__emit = (event, value) => {
    for (const listener of listeners.get(event) ?? []) listener(value);
  };
  const provider = {
    async request(call: object) {
      const { result, error } = JSON.parse(await page.__testWallet(JSON.stringify(call))) as {
        result?: unknown;
        error?: { code: number; message: string };
      };
      if (error) throw Object.assign(new Error(error.message), { code: error.code });
      return result;
    },
    on: (event: string, listener: Listener) =>
      listeners.set(event, [...(listeners.get(event) ?? []), listener]),
  };
  const icon =
    'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"%3E%3Crect width="24" height="24" rx="6" fill="%23335"/%3E%3Ccircle cx="12" cy="12" r="5" fill="%23fc6"/%3E%3C/svg%3E';
  const info = {
    uuid: '7c3b9d52-0000-4000-8000-000000000001',
    name: 'Test Wallet',
    icon,
    rdns: 'example.wallet',
  };
  const announce = () =>
    window.dispatchEvent(
      new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }),
    );
  window.addEventListener('eip6963:requestProvider', announce);
  announce();
}
