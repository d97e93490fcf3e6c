/**
 * One RPC as every door answers it: its messages, whether its caller must be known, and what it asks of the services. A
 * door reads the request in its own form, finds out who calls, and writes the answer or the refusal in its own form.
 */
import type { Rejection } from '@handover/core';
import type { DescMessage, MessageInitShape, MessageShape, MethodKey } from '@handover/wire';
import type { Principal } from '../../../auth/principal.js';

export type RpcAnswer<D extends DescMessage> =
  | { readonly value: MessageInitShape<D> }
  | { readonly rejection: Rejection };

type MaybePromise<T> = T | Promise<T>;

/** Takes items of lists of the answer as they come, in order: a door writes them at once, since there may be many. */
export type TakePart<D extends DescMessage> = (part: MessageInitShape<D>) => void;

export interface Rpc<I extends DescMessage = DescMessage, O extends DescMessage = DescMessage> {
  readonly input: I;
  readonly output: O;
  /** No credential is asked for; then it is answered for the default tenant. */
  readonly open: boolean;
  /** `caller` is there unless the RPC is open. What `take` was given stands before the items that the answer has itself. */
  answer(
    caller: Principal | undefined,
    request: MessageShape<I>,
    take: TakePart<O>,
  ): MaybePromise<RpcAnswer<O>>;
}

export type WatchKey = Extract<MethodKey, `watch${string}`>;
/** All but Send and StreamSession, which doors carry in ways of their own. */
export type UnaryKey = Exclude<MethodKey, WatchKey | 'send' | 'streamSession'>;
export type UnaryRpcs<K extends UnaryKey = UnaryKey> = Readonly<Record<K, Rpc>>;

interface Method<I extends DescMessage, O extends DescMessage> {
  readonly input: I;
  readonly output: O;
}

export function openRpc<I extends DescMessage, O extends DescMessage>(
  { input, output }: Method<I, O>,
  answer: (request: MessageShape<I>) => MaybePromise<RpcAnswer<O>>,
): Rpc<I, O> {
  return { input, output, open: true, answer: (_, request) => answer(request) };
}

export function authenticatedRpc<I extends DescMessage, O extends DescMessage>(
  { input, output }: Method<I, O>,
  answer: (caller: Principal, request: MessageShape<I>, take: TakePart<O>) => MaybePromise<RpcAnswer<O>>,
): Rpc<I, O> {
  return {
    input,
    output,
    open: false,
    answer(caller, request, take) {
      if (!caller) throw new Error('a door let a call through without its caller');
      return answer(caller, request, take);
    },
  };
}

export function refusal(code: Rejection['code'], message: string): { readonly rejection: Rejection } {
  return { rejection: { code, message } };
}
