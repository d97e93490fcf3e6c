/**
 * The contracts of Safe 1.3.0 to 1.5.0 that behave as their source says: addresses and hashes of their code, as the
 * deployments that Safe publishes list them (safe-deployments 1.37.56, MIT).
 */

import { keccak256 } from 'ox/Hash';

/** Hashes of the code of proxies, which is the code at the address of an account. */
export const SAFE_PROXIES: readonly string[] = [
  '0xb89c1b3bdf2cf8827818646bce9a8f6e372885f8c55e5c07acbd307cb133b000',
  '0xd7d408ebcd99b2b70be43e20253d6d92a8ea8fab29bd3be7f55b10032331fb4c',
  '0x4e381985ca68b3e5d27b4425fa581c19cf33146d3f887a3cfca96f55528ea46f',
];

/** Address of a singleton to the hash of its code. */
export const SAFE_SINGLETONS: ReadonlyMap<string, string> = new Map([
  [
    '0xd9db270c1b5e3bd161e8c8503c55ceabee709552',
    '0xbba688fbdb21ad2bb58bc320638b43d94e7d100f6f3ebaab0a4e4de6304b1c2e',
  ],
  [
    '0x69f4d1788e39c87893c980c06edf4b7f686e2938',
    '0xbba688fbdb21ad2bb58bc320638b43d94e7d100f6f3ebaab0a4e4de6304b1c2e',
  ],
  [
    '0x3e5c63644e683549055b9be8653de26e0b4cd36e',
    '0x21842597390c4c6e3c1239e434a682b054bd9548eee5e9b1d6a4482731023c0f',
  ],
  [
    '0xfb1bffc9d739b8d520daf37df666da4c687191ea',
    '0x21842597390c4c6e3c1239e434a682b054bd9548eee5e9b1d6a4482731023c0f',
  ],
  [
    '0x41675c099f32341bf84bfc5382af534df5c7461a',
    '0x1fe2df852ba3299d6534ef416eefa406e56ced995bca886ab7a553e6d0c5e1c4',
  ],
  [
    '0x29fcb43b46531bca003ddc8fcb67ffe91900c762',
    '0xb1f926978a0f44a2c0ec8fe822418ae969bd8c3f18d61e5103100339894f81ff',
  ],
  [
    '0xff51a5898e281db6dfc7855790607438df2ca44b',
    '0xdda019cbd7c867a533a2a86e5c53434fdc50b13122b5a5ddb4a8df61b31c20f2',
  ],
  [
    '0xedd160febbd92e350d4d398fb636302fccd67c7e',
    '0x180193227186ccb85316c94db1f0d156ed932b14712cfaac78901899178572dc',
  ],
]);

/** MultiSend and MultiSendCallOnly: a Safe runs their code on itself to make several calls. */
export const MULTI_SENDS: readonly string[] = [
  '0xa238cbeb142c10ef7ad8442c6d1f9e89e07e7761',
  '0x998739bfdaadde7c933b942a68053933098f9eda',
  '0x40a2accbd92bca938b02010e17a5b8929b49130d',
  '0xa1dabef33b3b82c7814b6d82a79e50f4ac44102b',
  '0x38869bf66a61cf6bdb996a6ae40d5853fd43b526',
  '0x9641d764fc13c8b624c04430c7356c1c7c8102e2',
  '0x218543288004cd07832472d464648173c77d7eb7',
  '0xa83c336b20401af773b6219ba5027174338d1836',
];

export interface SafeCode {
  /** At the address of the account. */
  readonly code: string;
  /** What its first slot names, and the code there. */
  readonly singleton: string;
  readonly singletonCode: string;
}

/** `trusted`: singletons on whose code the operator gives their word. */
export function isKnownSafe(
  { code, singleton, singletonCode }: SafeCode,
  trusted: readonly string[],
): boolean {
  if (singletonCode === '0x' || !SAFE_PROXIES.includes(hashOf(code))) return false;
  return trusted.includes(singleton) || SAFE_SINGLETONS.get(singleton) === hashOf(singletonCode);
}

const hashOf = (code: string): string => keccak256(`0x${code.slice(2)}`);
