/** The one kind of JWS that receipts use: compact, detached payload, EdDSA, a header of `alg` and `kid` and nothing else. */
import type { Codec } from '../../envelope/codec.js';
import { isFields } from '../../fields.js';
import { canonicalJson, type Json } from '../../log/json.js';

export const EDDSA = 'EdDSA';

export function jwsHeader(kid: string, codec: Codec): string {
  return base64url(codec.utf8(canonicalJson({ alg: EDDSA, kid })), codec);
}

/** The bytes that the signature covers: the canonical text is not in the JWS itself. */
export function signingInput(header: string, canonicalText: string, codec: Codec): Uint8Array {
  return codec.utf8(`${header}.${base64url(codec.utf8(canonicalText), codec)}`);
}

export function detachedJws(header: string, signature: Uint8Array, codec: Codec): string {
  return `${header}..${base64url(signature, codec)}`;
}

export type ReadJws =
  | {
      readonly kind: 'eddsa';
      readonly header: string;
      readonly kid: string;
      readonly signature: Uint8Array;
    }
  | { readonly kind: 'other-algorithm' }
  | { readonly kind: 'malformed' };

const MALFORMED: ReadJws = { kind: 'malformed' };

export function readJws(jws: Json | undefined, codec: Codec): ReadJws {
  const [header = '', payload, signature = '', more] = typeof jws === 'string' ? jws.split('.') : [];
  if (payload !== '' || more !== undefined) return MALFORMED;
  const said = headerOf(header, codec);
  const signed = bytesOf(signature, codec);
  if (!isFields(said) || !signed) return MALFORMED;
  const { alg, kid, ...others } = said;
  if (alg !== EDDSA) return typeof alg === 'string' ? { kind: 'other-algorithm' } : MALFORMED;
  // Further members could change what the signature means (`b64`, `crit`), and no receipt has any.
  if (typeof kid !== 'string' || kid === '' || Object.keys(others).length > 0) return MALFORMED;
  return { kind: 'eddsa', header, kid, signature: signed };
}

function headerOf(header: string, codec: Codec): Json | undefined {
  const bytes = bytesOf(header, codec);
  const text = bytes && codec.text(bytes);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Undefined unless it is the one spelling without padding. */
function bytesOf(text: string, codec: Codec): Uint8Array | undefined {
  const bytes = text === '' ? undefined : codec.fromBase64(text);
  return bytes && base64url(bytes, codec) === text ? bytes : undefined;
}

function base64url(bytes: Uint8Array, codec: Codec): string {
  return codec.toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
