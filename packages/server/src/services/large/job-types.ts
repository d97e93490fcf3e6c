/** What can be asked of the thread for large documents. Bytes cross whole; everything else that crosses is small. */
import type { JsonFlaw, ParseLimits } from '../../platform/json/parse-bounded.js';
import type { DerivationName, DerivationParameters, Derived } from '../operations/derivations.js';
import type { BundleCheck } from '../operations/families/bundle-deploy/check.js';

export interface MessageInput {
  readonly bytes: Uint8Array;
  /** Of a message with a large argument. */
  readonly limits: ParseLimits;
  /** Of any other message. */
  readonly plain: ParseLimits;
  /** Tools by name, with the name of the argument that may be large: a bundle. */
  readonly tools: Readonly<Record<string, string>>;
}

export type MessageOutput =
  | { readonly kind: 'refused'; readonly flaw: JsonFlaw }
  /** It has no large argument, and is small enough for the main thread. */
  | { readonly kind: 'plain'; readonly bytes: Uint8Array }
  /** The message without its large argument, as JSON, and what was found out about that. */
  | {
      readonly kind: 'split';
      readonly rest: string;
      readonly argument: string;
      readonly check: Omit<BundleCheck, 'json'>;
      readonly json?: Uint8Array;
    };

export interface DeriveInput<N extends DerivationName = DerivationName> {
  readonly name: N;
  readonly parameters: DerivationParameters<N>;
  readonly created: Uint8Array;
  readonly result?: Uint8Array;
  /** What a page has posted just now. */
  readonly posted?: Uint8Array;
  readonly limits: ParseLimits;
}

/** `bytes` stands for a derived value that is bytes. */
export type DeriveOutput<N extends DerivationName = DerivationName> =
  | { readonly value: Derived<N> }
  | { readonly flaw: JsonFlaw };

export interface Jobs {
  message(input: MessageInput): MessageOutput;
  derive(input: DeriveInput): DeriveOutput;
}

export type JobName = keyof Jobs;

/** What is posted to the thread. */
export interface JobMessage<N extends JobName = JobName> {
  readonly name: N;
  readonly input: Parameters<Jobs[N]>[0];
}
