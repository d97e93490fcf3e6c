/**
 * The context package: what a handoff of a working session carries to its target. Small, versioned, and without a copy of
 * the entries: the manifest says which ones go with it, and the hash at which they end.
 *
 * A handoff may add its last entry and the package in one append. That entry has no hash when the package is made, so the
 * manifest then has the hash of what was stored before, and the digest of what the new entry says.
 *
 * The digest is SHA-256 of the JCS of everything else in it; those bytes with the digest are exactly what crosses.
 */

import type { Codec } from '../envelope/codec.js';
import { isFields } from '../fields.js';
import { canonicalJson, type Json, type JsonObject } from '../log/json.js';
import type { Brief } from './brief/brief.js';
import { PACKAGE_V1, type PackageSummary } from './package-v1.js';

export const PACKAGE_VERSION = 'handover-package@2';
export const PACKAGE_CONTENT_TYPE = 'application/vnd.handover.package+json';

export type PackageManifest = {
  /** 0 when nothing was written yet. */
  readonly firstSequence: number;
  readonly lastSequence: number;
  readonly entries: number;
  /**
   * Hash of the log entry that the package goes up to: it pins everything before it, too. With `added`, of the last
   * one before that; zeros if that is the first.
   */
  readonly headHash: string;
  /** The last entry, when it is stored together with the package: its number, and `sha256:` of its payload. */
  readonly added?: { readonly sequence: number; readonly digest: string };
  readonly counts: Readonly<Record<string, number>>;
};

type PackageFields = {
  readonly handoffId: string;
  readonly sessionKey: string;
  readonly from: string;
  readonly to: string;
  readonly requestType: string;
  readonly requestData: JsonObject;
  readonly manifest: PackageManifest;
  readonly digest: string;
};

/** What was handed over: deterministic, within a budget, with a digest of exactly what crossed. */
export type HandoffPackage = PackageFields & {
  readonly version: typeof PACKAGE_VERSION;
  readonly brief: Brief;
};

/** Of whatever version. */
export type ReadPackage =
  | HandoffPackage
  | (PackageFields & { readonly version: typeof PACKAGE_V1; readonly summary: PackageSummary });

export function makePackage(
  contents: Omit<HandoffPackage, 'version' | 'digest'>,
  codec: Codec,
): HandoffPackage {
  const undigested = { version: PACKAGE_VERSION, ...contents } as const;
  return { ...undigested, digest: digestOf(undigested, codec) };
}

export function packageBytes(made: HandoffPackage, codec: Codec): Uint8Array {
  return codec.utf8(canonicalJson(made));
}

/** The package in these bytes, when they are one and its digest is right. */
export function readPackage(bytes: Uint8Array, codec: Codec): ReadPackage | undefined {
  const value = parsed(codec.text(bytes));
  if (!isFields(value) || (value.version !== PACKAGE_VERSION && value.version !== PACKAGE_V1))
    return undefined;
  const { digest, ...undigested } = value;
  // Only what makePackage wrote has a right digest, so the digest vouches for the shape as well.
  return digest === digestOf(undigested, codec) ? (value as ReadPackage) : undefined;
}

export function digestOf(value: Json, codec: Codec): string {
  return `sha256:${codec.sha256(codec.utf8(canonicalJson(value)))}`;
}

function parsed(text: string | undefined): Json | undefined {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
