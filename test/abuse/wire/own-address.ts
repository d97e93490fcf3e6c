import { networkInterfaces } from 'node:os';

/** An address of this machine that is not loopback; undefined when it has none. */
export function ownAddress(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.find(({ internal, family }) => !internal && family === 'IPv4')?.address;
}
