/**
 * One RPC as every door answers it: its messages, whether its caller must be known, and what it asks of the services. A
 * door reads the request in its own form, finds out who calls, and writes the answer or the refusal in its own form.
 */
import type { Rejection } from '@handover/core';
import {
  type Ack,
  type DescMessage,
  encodeMessage,
  type MessageInitShape,
  type MessageShape,
  type MethodKey,
} from '@handover/wire';
import type { Principal } from '../../../auth/principal.js';

export type RpcAnswer =
  | {
      /** The response. */
      readonly bytes: Uint8Array;
      /** What it holds of an Ack: gRPC repeats the details of its refusal beside it. */
      readonly ack?: Ack;
    }
  | { readonly rejection: Rejection }
  /** What is wrong with the request itself, before any rule is asked. */
  | { readonly malformed: string };

type MaybePromise<T> = T | Promise<T>;

/** Takes items of lists of the answer as they come, in order: a door writes them at once, since there may be many. */
type TakePart<Part = Uint8Array> = (part: Part) => void;

export interface Rpc {
  readonly input: DescMessage;
  readonly output: DescMessage;
  /** No credential is asked for; then it is answered for the default tenant. */
  readonly open: boolean;
  /**
   * Why it is answered for nobody here. gRPC asks before anything else (docs/spec/macp.md 4.2), HTTP when it knows who
   * calls and has read the request (docs/spec/macp-http.md 17.1).
   */
  readonly closed?: () => Rejection | undefined;
  /** `caller` is there unless the RPC is open. The lists that `take` was given items of are empty in the answer itself. */
  answer(
    caller: Principal | undefined,
    request: MessageShape<DescMessage>,
    take: TakePart,
  ): MaybePromise<RpcAnswer>;
}

export type WatchKey = Extract<MethodKey, `watch${string}`>;
/** All but Send and StreamSession, which doors carry in ways of their own. */
export type UnaryKey = Exclude<MethodKey, WatchKey | 'send' | 'streamSession'>;
export type UnaryRpcs<K extends UnaryKey = UnaryKey> = Readonly<Record<K, Rpc>>;

interface Method<I extends DescMessage, O extends DescMessage> {
  readonly input: I;
  readonly output: O;
}

type Answer<O extends DescMessage> = RpcAnswer | { readonly value: MessageInitShape<O> };

export function openRpc<I extends DescMessage, O extends DescMessage>(
  { input, output }: Method<I, O>,
  answer: (request: MessageShape<I>) => MaybePromise<Answer<O>>,
): Rpc {
  return {
    input,
    output,
    open: true,
    answer: async (_, request) => encoded(output, await answer(request as MessageShape<I>)),
  };
}

export function authenticatedRpc<I extends DescMessage, O extends DescMessage>(
  { input, output }: Method<I, O>,
  answer: (
    caller: Principal,
    request: MessageShape<I>,
    take: TakePart<MessageInitShape<O> | Uint8Array>,
  ) => MaybePromise<Answer<O>>,
): Rpc {
  return {
    input,
    output,
    open: false,
    async answer(caller, request, take) {
      if (!caller) throw new Error('a door let a call through without its caller');
      const takeEncoded = (part: MessageInitShape<O> | Uint8Array) =>
        take(part instanceof Uint8Array ? part : encodeMessage(output, part));
      return encoded(output, await answer(caller, request as MessageShape<I>, takeEncoded));
    },
  };
}

function encoded<O extends DescMessage>(output: O, answer: Answer<O>): RpcAnswer {
  return 'value' in answer ? { bytes: encodeMessage(output, answer.value) } : answer;
}

export function refusal(code: Rejection['code'], message: string): { readonly rejection: Rejection } {
  return { rejection: { code, message } };
}
