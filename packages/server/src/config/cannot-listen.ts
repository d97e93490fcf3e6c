/** Why a port cannot be had, and what to do: one sentence for whoever starts the server. */
import { FaultCode, HandoverError } from '@handover/core';
import { formatAddress } from './address.js';
import type { SettingName } from './settings.js';

export interface ListenPlace {
  /** The setting that names the address, and an example of one that would do. */
  readonly setting: SettingName;
  readonly example: string;
  readonly host: string;
  readonly port: number;
}

export function cannotListen({ setting, example, host, port }: ListenPlace, cause: unknown): HandoverError {
  const why = reasonOf(codeOf(cause), host, port);
  const message = `${setting}: cannot listen on ${formatAddress({ host, port })}: ${why}, such as ${setting}=${example}`;
  return new HandoverError(FaultCode.CONFIGURATION, message, { next: 'fatal', cause });
}

function reasonOf(code: string | undefined, host: string, port: number): string {
  switch (code) {
    case 'EADDRINUSE':
      return 'another program has this port (perhaps another server like this one); stop it, or choose another port';
    case 'EACCES':
      return `this user may not use port ${port}; choose one above 1023`;
    case 'EADDRNOTAVAIL':
      return `${host} is no address of this machine; choose one that is`;
    default:
      return `${code ?? 'the system refused'}; choose another address`;
  }
}

/** Some libraries give the code in the text of the error only. */
function codeOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  return 'code' in cause && typeof cause.code === 'string'
    ? cause.code
    : /\b(?:EADDRINUSE|EACCES|EADDRNOTAVAIL|EAFNOSUPPORT)\b/.exec(cause.message)?.[0];
}
