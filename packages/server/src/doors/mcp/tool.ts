/**
 * What a tool of this door is. The tools of a set are offered together and can be switched off together.
 *
 * T1. A tool translates: arguments to one call of a service, its outcome to JSON. It decides nothing.
 * T2. Arguments are checked against the published schema. Unknown ones are refused, and nothing is dropped silently.
 * T3. Descriptions are fixed texts of this server: no text of a user or of an agent ever gets into one.
 */
import type { JsonObject } from '@handover/core';
import type {
  CallToolResult,
  ClientCapabilities,
  InputRequiredSpec,
  ToolAnnotations,
} from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { Principal } from '../../auth/principal.js';
import type { Scope } from '../../auth/scopes.js';
import type { Connection } from '../../services/connection.js';
import type { Outcome } from '../../services/outcome.js';
import type { ResultShape } from './results.js';

export interface ToolCall {
  readonly principal: Principal;
  /** From where it is called. */
  readonly connection: Connection;
  readonly signal: AbortSignal;
  /** Of a request that a pipe may say again: the same each time. */
  readonly requestKey?: string;
  /** Asks the user a question. Absent: the client offers no such thing, or the tool does not ask. */
  readonly ask?: Ask;
  /** Sends a progress message to a client that asked for progress. */
  progress(message: string): void;
  /** What the client said it can be asked for. */
  readonly client?: ClientCapabilities;
  /** What the client was asked for in the round before, and answered: any words of a client, of any form. */
  readonly answers?: Answers;
  /** What it was given to carry from there; the tool knows it again. */
  readonly state?: string;
}

/** By the name of the question. */
export type Answers = Readonly<Record<string, unknown>>;

export interface UserQuestion {
  /** The same for the same question: an answer belongs to it, and to no other. */
  readonly id: string;
  readonly message: string;
}

/** Unanswered: the client has yet to ask. It calls the tool again with the answer, and what the tool says now is dropped. */
export type Ask = (question: UserQuestion) => Promise<'yes' | 'no' | 'closed' | 'unanswered'>;

/** All four hints are always given, because the protocol's defaults assume the worst. */
export type Hints = Required<Omit<ToolAnnotations, 'title'>>;

export interface ToolSpec<Args extends object> {
  readonly name: string;
  readonly title: string;
  /** What it does and when to use it, for a model. */
  readonly description: string;
  readonly scope: Scope;
  readonly hints: Hints;
  /** Strict: unknown arguments are refused. */
  readonly input: z.ZodType<Args>;
  /** Of arguments that only the caller can know and this server knows too: what to give where they are missing or wrong. */
  readonly knownArguments?: Readonly<
    Record<string, (call: Pick<ToolCall, 'principal'>) => string | undefined>
  >;
  /** Of a success; loose, so that fields can be added. */
  readonly output: z.ZodType;
  readonly result: ResultShape;
  /** What a client is shown of the value; absent: the value as JSON. */
  readonly contents?: (value: JsonObject) => CallToolResult['content'];
  /**
   * What the client is asked for before the tool runs; undefined: nothing more. The client calls again with the answers.
   * Nothing is remembered here: what later rounds need, the client carries.
   */
  readonly asks?: (args: Args, call: ToolCall) => InputRequiredSpec | undefined;
  /** Whether a state that a client carries was made here, for this caller. Any other is refused. */
  readonly knows?: (state: string, principal: Principal) => boolean;
  /** The result is a page for the user. A client that can open URLs is asked to open it, in a round of its own. */
  readonly review?: ReviewRounds;
  /** It may ask the user before it acts, through `call.ask`. */
  readonly mayAsk?: boolean;
  /** An answer, a Commitment or a control: it is never refused for the rate of its caller. */
  readonly unlimited?: boolean;
  /** The name of its argument that may be large: a bundle, which may have been checked before the tool is called. */
  readonly large?: string;
  /** The answer may take long, with these arguments or with any, so it is streamed from the start. */
  readonly waits?: boolean | ((args: Readonly<Record<string, unknown>>) => boolean);
  run(args: Args, call: ToolCall): Promise<Outcome<JsonObject>>;
}

export interface ReviewRounds {
  /** The page to open, and the state that the client carries to the second round; undefined when there is no page. */
  ask(value: JsonObject, principal: Principal): ReviewPage | undefined;
  /** Whether the state was made here, for this caller and tool, not too long ago. */
  knows(state: string, principal: Principal): boolean;
  /** The second round, with the state that the client carried. */
  resume(state: string, declined: boolean, principal: Principal): Promise<Outcome<JsonObject>>;
}

export interface ReviewPage {
  readonly url: string;
  readonly message: string;
  readonly state: string;
}

/** A tool without the type of its arguments, which no other code needs. */
export type Tool = ToolSpec<object>;

export function defineTool<Args extends object>(spec: ToolSpec<Args>): Tool {
  return spec as unknown as Tool;
}

/** Tools that another folder adds to the door, in one line of compose/mcp-door.ts. */
export interface ToolSet {
  readonly name: string;
  readonly tools: readonly Tool[];
}

export const READS: Hints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
export const ADDS: Hints = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};
/** A second call changes nothing more. */
export const SETTLES: Hints = { ...ADDS, idempotentHint: true };
export const ENDS: Hints = { ...ADDS, destructiveHint: true, idempotentHint: true };
