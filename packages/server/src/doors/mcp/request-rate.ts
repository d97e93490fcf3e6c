/**
 * Every request over MCP counts once in the rate of its caller, whatever it asks for. Answers, Commitments and
 * controls are never refused for it: a tool says so of itself.
 */
import type { Rejection } from '@handover/core';
import type { ServerContext } from '@modelcontextprotocol/server';
import type { Principal } from '../../auth/principal.js';
import type { McpDependencies } from './dependencies.js';
import { failureOf } from './errors.js';
import { refusal } from './refusal.js';

/** Undefined: the request may go on. */
export type RequestRate = (principal: Principal) => Rejection | undefined;

/** The caller of a request that is not the call of a tool. Throws when its rate is exceeded. */
export function admittedCaller(
  deps: McpDependencies,
  caller: (context: ServerContext) => Principal,
): (context: ServerContext) => Principal {
  return (context) => {
    const principal = caller(context);
    const limited = deps.rate(principal);
    if (limited) throw refusal(deps, failureOf(limited));
    return principal;
  };
}
