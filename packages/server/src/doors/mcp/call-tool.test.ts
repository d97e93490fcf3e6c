import { FaultCode, HandoverError, RejectionCode, reject } from '@handover/core';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { plainConnection } from '../../../../../test/kit/connections.js';
import type { Principal } from '../../auth/principal.js';
import { ALL_SCOPES, Scope } from '../../auth/scopes.js';
import type { LogFields } from '../../observe/log.js';
import { createAudit } from '../../observe/security-log.js';
import { callTool } from './call-tool.js';
import { ResultShape } from './results.js';
import { defineTool, READS, type Tool } from './tool.js';
import { createToolTable } from './tool-table.js';

const principal: Principal = {
  tenant: 'default',
  agent: 'alice',
  canStartSessions: true,
  canManageModeRegistry: false,
  isObserver: false,
  scopes: ALL_SCOPES,
};
const logged: [string, LogFields | undefined][] = [];
const note = (event: string, fields?: LogFields) => void logged.push([event, fields]);
const log = { debug: note, info: note, warn: note, error: note };
const deps = {
  ...{ log, audit: createAudit(log), now: () => 1_700_000_000_000, rate: () => undefined },
  tools: createToolTable([]),
};

const toolOf = (run: Tool['run'], result: ResultShape = ResultShape.FIELDS) =>
  defineTool<{ text?: string }>({
    name: 'aTool',
    title: '',
    description: '',
    scope: Scope.HANDOFF_READ,
    hints: READS,
    input: z.strictObject({ text: z.string().exactOptional() }),
    output: z.looseObject({}),
    result,
    run,
  });
const ask = async (tool: Tool, args: unknown = {}, caller = principal, traceId?: string) =>
  (await callTool(
    deps,
    tool,
    args,
    {
      principal: caller,
      connection: plainConnection,
      signal: new AbortController().signal,
      progress: () => {},
    },
    traceId,
  )) as CallToolResult;
const payloadIn = ({ content }: { content: { type: string }[] }) =>
  JSON.parse((content[0] as { text?: string } | undefined)?.text ?? '') as Record<string, unknown>;

describe('a call', () => {
  it('shows blocks of its own, and keeps the value as structure', async () => {
    const tool = {
      ...toolOf(async () => ({ value: { a: 1 } })),
      contents: () => [{ type: 'text' as const, text: 'one' }],
    };
    expect(await ask(tool)).toEqual({
      content: [{ type: 'text', text: 'one' }],
      structuredContent: { success: true, a: 1 },
    });
  });

  it('asks after scope, rate and arguments, and does not run before it is answered', async () => {
    let ran = 0;
    const requestState = 'carried';
    const tool: Tool = {
      ...toolOf(async () => ({ value: { ran: ++ran } })),
      asks: (_, { answers }) => (answers ? undefined : { requestState }),
    };
    expect(await ask(tool)).toEqual({ resultType: 'input_required', requestState });
    expect(payloadIn(await ask(tool, { other: 1 })).errorCode).toBe('VALIDATION_ERROR');
    expect(payloadIn(await ask(tool, {}, { ...principal, scopes: new Set() })).errorCode).toBe('FORBIDDEN');
    expect(ran).toBe(0);
  });

  it('a further round is not refused for the rate of the caller', async () => {
    const full = { ...deps, rate: () => reject(RejectionCode.RATE_LIMITED, 'too often') };
    const tool = toolOf(async () => ({ value: {} }));
    const call = {
      principal,
      connection: plainConnection,
      signal: new AbortController().signal,
      progress: () => {},
    };
    expect(await callTool(full, tool, {}, call)).toMatchObject({ isError: true });
    expect(await callTool(full, tool, {}, { ...call, state: 'known' })).not.toHaveProperty('isError');
  });

  it('gives one block of text and the same as structure', async () => {
    const result = await ask(toolOf(async () => ({ value: { a: 1 }, replayed: true })));
    expect(result).toEqual({
      content: [{ type: 'text', text: '{"success":true,"a":1,"replayed":true}' }],
      structuredContent: { success: true, a: 1, replayed: true },
    });
  });

  it('of a tool that declares it carries its value under data', async () => {
    const { structuredContent } = await ask(toolOf(async () => ({ value: { a: 1 } }), ResultShape.DATA));
    expect(structuredContent).toEqual({ data: { a: 1 } });
  });

  it('without the scope never reaches the tool, nor its arguments', async () => {
    const tool = toolOf(async () => {
      throw new Error('reached');
    });
    const result = await ask(tool, { wrong: 1 }, { ...principal, scopes: new Set() });
    expect(payloadIn(result)).toMatchObject({
      errorCode: 'FORBIDDEN',
      details: { requiredScope: 'handoff:read' },
    });
    expect(logged.some(([event]) => event === 'audit.authorization_failed')).toBe(true);
  });

  it.each([
    ['an error of a library', new Error('SQLITE_CORRUPT at /var/lib/secret.db'), 'INTERNAL_ERROR', 500],
    ['text', 'boom secret.db', 'INTERNAL_ERROR', 500],
    ['an unknown outcome', new HandoverError(FaultCode.UNKNOWN_OUTCOME, 'secret.db'), 'INTERNAL_ERROR', 500],
    ['a full queue', new HandoverError(FaultCode.OVERLOADED, 'secret.db'), 'RATE_LIMITED', 429],
  ])('that throws %s says nothing of it', async (_, thrown, errorCode, statusCode) => {
    logged.length = 0;
    const result = await ask(
      toolOf(() => Promise.reject(thrown)),
      { text: 'x' },
      principal,
      'f'.repeat(32),
    );
    expect(Object.keys(result)).toEqual(['content', 'isError']);
    expect(result.content).toHaveLength(1);
    expect(payloadIn(result)).toMatchObject({
      success: false,
      errorCode,
      statusCode,
      traceId: 'f'.repeat(32),
    });
    expect(JSON.stringify(result)).not.toContain('secret');
    expect(logged).toContainEqual([
      'mcp.fault',
      expect.objectContaining({ tool: 'aTool', requestId: payloadIn(result).requestId }),
    ]);
  });
});
