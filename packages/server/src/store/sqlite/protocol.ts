/** The messages between the store and its two threads. */
import { type FaultCode, type FaultNext, HandoverError } from '@handover/core';
import type { FindAgents, NoteAgent } from './agents.js';
import type { ChangeCredentials, FindCredentials } from './credentials.js';
import type { DataFolder } from './data-folder.js';
import type { ReadRequest } from './reader.js';
import type { ChangeReceipts, FindReceipt } from './receipts.js';

export type Role = 'writer' | 'reader';

export interface WorkerData {
  readonly role: Role;
  readonly folder: DataFolder;
}

export type Request =
  | { readonly verb: 'commit'; readonly packed: Uint8Array<ArrayBuffer> }
  | { readonly verb: 'seen'; readonly packed: Uint8Array<ArrayBuffer> }
  | { readonly verb: 'usage'; readonly packed: Uint8Array<ArrayBuffer> }
  | ReadRequest
  | ChangeCredentials
  | FindCredentials
  | NoteAgent
  | FindAgents
  | ChangeReceipts
  | FindReceipt
  | { readonly verb: 'close' };

export interface Call {
  readonly id: number;
  readonly request: Request;
}

/** The first reply, with id 0, says that the thread is ready; its value is the last position. */
export type Reply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly fault: PlainFault };

export const READY = 0;

/** A fault without its cause: errors lose their class when they are cloned. */
export interface PlainFault {
  readonly code: FaultCode;
  readonly message: string;
  readonly next: FaultNext;
  readonly details: Readonly<Record<string, string | number>>;
}

export function plainFault({ code, shortMessage, next, details }: HandoverError): PlainFault {
  return { code, message: shortMessage, next, details };
}

export function revive({ code, message, next, details }: PlainFault): HandoverError {
  return new HandoverError(code, message, { next, details });
}
