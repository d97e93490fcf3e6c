import { formatAddress } from '../config/address.js';

export interface ReadyFacts {
  readonly grpc: { readonly host: string; readonly port: number };
  readonly httpUrl: string;
  /** For example `sqlite` or `memory`. */
  readonly store: string;
  /** The authenticator's name. */
  readonly auth: string;
}

/** The one line on stdout. Scripts wait for it and read the real ports from it, so its form must not change. */
export function readyLine({ grpc, httpUrl, store, auth }: ReadyFacts): string {
  return `handover ready grpc=${formatAddress(grpc)} http=${httpUrl} store=${store} auth=${auth}`;
}
