/** Follows `next` of readContext to the end, and joins what was cut. */
import type { Client } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { call, type Payload } from '../../kit/mcp-clients.js';
import { tokensOf } from './tool-names.js';

export interface ReadThrough {
  /** By number. */
  readonly texts: ReadonlyMap<number, string>;
  readonly attachment: string;
  readonly pages: readonly Payload[];
}

export async function readAll(client: Client, args: Record<string, unknown>): Promise<ReadThrough> {
  const texts = new Map<number, string>();
  const pages: Payload[] = [];
  let attachment = '';
  for (
    let next: { tool: string; arguments: Record<string, unknown> } | undefined = {
      tool: 'readContext',
      arguments: args,
    };
    next;
  ) {
    const page: Payload = await call(client, next.tool, next.arguments);
    expect(page).toMatchObject({ success: true });
    expect(tokensOf(page)).toBeLessThanOrEqual(Number(args.maxTokens ?? 6_000));
    pages.push(page);
    for (const { sequenceNumber, content, offset = 0 } of page.entries ?? []) {
      const before = texts.get(sequenceNumber) ?? '';
      expect([...before].length).toBe(offset);
      texts.set(sequenceNumber, before + content);
    }
    attachment += page.attachment?.text ?? page.attachment?.base64 ?? '';
    expect(page.hasMore ?? page.next !== undefined).toBe(page.next !== undefined);
    next = page.next;
  }
  return { texts, attachment, pages };
}
