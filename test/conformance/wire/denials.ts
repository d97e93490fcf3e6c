import { expect } from 'vitest';
import type { ExpectedDenial } from '../fixture-types.js';

interface Denial extends ExpectedDenial {
  readonly message: string;
}

/** Why a policy said no. It travels as JSON in the details of an error: once for older clients, once with codes. */
export function denialsIn(details: Uint8Array | undefined): readonly ExpectedDenial[] | undefined {
  if (details === undefined || details.length === 0) return undefined;
  const { reasons, denials = [] } = JSON.parse(Buffer.from(details).toString('utf8')) as {
    readonly reasons?: readonly string[];
    readonly denials?: readonly Denial[];
  };
  if (reasons === undefined) return undefined;
  expect(reasons).toEqual(denials.map(({ message }) => message));
  return denials.map(({ code, message, participants }) => {
    for (const name of participants ?? [])
      expect(message, 'names are beside the message').not.toContain(name);
    return { code, ...(participants && { participants }) };
  });
}
