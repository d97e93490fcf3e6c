/** EIP-1193, as far as it is used here. */
export interface Provider {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
  on?(event: string, listener: (value: unknown) => void): void;
}

export interface Wallet {
  readonly id: string;
  readonly name: string;
  /** A data: image or none, so that no wallet can make this page load anything. */
  readonly icon?: string;
  readonly provider: Provider;
}

export const isProvider = (value: unknown): value is Provider =>
  value !== null && typeof value === 'object' && 'request' in value && typeof value.request === 'function';
