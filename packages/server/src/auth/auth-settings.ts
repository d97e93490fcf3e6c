import type { JwtAlgorithm, JwtKey } from './jwks.js';
import type { OwnAddress } from './own-address.js';
import type { StaticTokens } from './static-tokens.js';

/** How callers are authenticated, as configured. Never contains a readable secret. */
export type AuthSettings =
  | { readonly kind: 'dev'; readonly defaultAgent: string }
  | {
      readonly kind: 'credentials';
      readonly staticTokens?: StaticTokens;
      readonly jwt?: JwtSettings;
      readonly mtls: boolean;
    };

export interface JwtSettings {
  readonly issuer: string;
  readonly audiences: readonly string[];
  readonly ownAddress: OwnAddress;
  readonly algorithms: readonly JwtAlgorithm[];
  readonly maxLifeSeconds: number;
  readonly keys:
    | { readonly kind: 'inline'; readonly keys: readonly JwtKey[] }
    | { readonly kind: 'url'; readonly url: string; readonly ttlSeconds: number };
}
