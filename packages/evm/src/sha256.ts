import { sha256 as hash } from 'ox/Hash';

/** In hex, without 0x. At once, and wherever a page came from: the browser's own hash needs a secure connection and a wait. */
export const sha256 = (bytes: Uint8Array): string => hash(bytes, { as: 'Hex' }).slice(2);
