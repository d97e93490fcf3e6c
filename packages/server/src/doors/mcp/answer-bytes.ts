/** How many bytes of memory an answer may need, before it is made. 0: too few to be counted. */
import { isFields } from '@handover/core';
import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { ToolTable } from './tool-table.js';

const LARGEST = fixedLimits.mcpExpectedAnswerBytes.value;
/** It holds nothing while it waits, and many windows may wait at once. */
const AFTER_WAITING = LARGEST / 4;

export function answerBytes(tools: Pick<ToolTable, 'find'>, { method, params }: JSONRPCRequest): number {
  if (method === 'resources/read') return LARGEST;
  if (method !== 'tools/call') return 0;
  const { waits } = tools.find(String(params?.name)) ?? {};
  const given = isFields(params?.arguments) ? params.arguments : {};
  return waits === true || (typeof waits === 'function' && waits(given)) ? AFTER_WAITING : LARGEST;
}
