/**
 * What a tool of this door is. One file per tool; a set of them is offered together and can be switched off together.
 *
 * T1. A tool translates: arguments to one call of a service, its outcome to JSON. It decides nothing.
 * T2. Arguments are checked as the published schema says, unknown ones included, and nothing is dropped silently.
 * T3. Descriptions are ours alone: no text of a user or of another agent ever gets into one.
 */
import type { JsonObject } from '@handover/core';
import type { ToolAnnotations } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { Principal } from '../../auth/principal.js';
import type { Scope } from '../../auth/scopes.js';
import type { Outcome } from '../../services/outcome.js';
import type { ResultShape } from './results.js';

export interface ToolCall {
  readonly principal: Principal;
  readonly signal: AbortSignal;
  /** Says that the work goes on, to a client that asked for it. */
  progress(message: string): void;
}

/** All four are said: the protocol's defaults are the alarming ones. */
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
  /** Of a success; loose, so that fields can be added. */
  readonly output: z.ZodType;
  readonly result: ResultShape;
  /** Its success is a page for the user to open: clients that can open one are asked to, in a round of their own. */
  readonly review?: ReviewRounds;
  /** The answer may take long, so it is streamed from the start. */
  readonly waits?: boolean;
  run(args: Args, call: ToolCall): Promise<Outcome<JsonObject>>;
}

export interface ReviewRounds {
  /** What to open, and what the client carries until it has; undefined: nothing. */
  ask(value: JsonObject, principal: Principal): ReviewPage | undefined;
  /** The second round, with what the client carried. */
  resume(state: string, declined: boolean, principal: Principal): Promise<Outcome<JsonObject>>;
}

export interface ReviewPage {
  readonly url: string;
  readonly message: string;
  readonly state: string;
}

/** A tool whose arguments nobody outside needs to know. */
export type Tool = ToolSpec<object>;

export function defineTool<Args extends object>(spec: ToolSpec<Args>): Tool {
  return spec as unknown as Tool;
}

/** What another folder adds to the door: one of these, in one line of compose/mcp-door.ts. */
export interface ToolSet {
  /** As in HANDOVER_TOOLSETS. */
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
/** Said again it changes nothing more. */
export const SETTLES: Hints = { ...ADDS, idempotentHint: true };
export const ENDS: Hints = { ...ADDS, destructiveHint: true, idempotentHint: true };
