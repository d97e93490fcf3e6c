/**
 * The story of the guide: one assistant hands its work to another, both through `handover mcp` on one machine. Told as the
 * calls and answers that went over the wire, with ids and times replaced, so that it can be compared with what is printed.
 */
import { rmSync } from 'node:fs';
import type { Client } from '@modelcontextprotocol/client';
import { call, connectStdioAs, newDataFolder, type Payload } from '../../kit/mcp-clients.js';

const NOTES: readonly (readonly [note: string, content: string])[] = [
  ['goal', 'The nightly import must finish before 06:00.'],
  ['done', 'Profiled it: 80 % of the time is one query without an index.'],
  ['decision', 'Add the index concurrently; a lock at night would stop the shop.'],
  ['next', 'Create the index on the replica first, then measure.'],
];

export async function tellStory(): Promise<string> {
  const folder = newDataFolder();
  const [claude, codex] = [
    await connectStdioAs('claude', folder, 'modern'),
    await connectStdioAs('codex', folder, 'legacy'),
  ];
  const lines: string[] = [];
  const tell = (who: string, tool: string, args: object, answer: object) =>
    lines.push(
      `${who} → ${tool} ${JSON.stringify(args)}`,
      `${' '.repeat(who.length)} ← ${JSON.stringify(answer)}`,
      '',
    );
  const say = async (
    who: string,
    client: Client,
    tool: string,
    args: Record<string, unknown>,
    show: (answer: Payload) => object,
  ) => {
    const answer = await call(client, tool, args);
    tell(who, tool, args, show(answer));
    return answer;
  };
  const brief = ({ success, status, handoff }: Payload) => ({
    success,
    status,
    phase: handoff.phase,
    instruction: handoff.instruction,
  });
  try {
    const sessionKey = 'nightly-import';
    await say(
      'claude',
      claude,
      'registerSession',
      { sessionKey, agentFrom: 'claude' },
      ({ success, message }) => ({ success, message }),
    );
    for (const [note, content] of NOTES)
      await say(
        'claude',
        claude,
        'updateContext',
        { sessionKey, contextType: 'message', content, metadata: { note } },
        ({ success, contextEntry }) => ({
          success,
          sequenceNumber: contextEntry.sequenceNumber,
        }),
      );
    const offer = {
      sessionKey,
      targetAgent: 'codex',
      requestType: 'full_handoff',
      requestData: { instructions: 'Finish before tonight.' },
    };
    const { handoffId } = await say('claude', claude, 'requestHandoff', offer, brief);
    await say('codex', codex, 'listHandoffs', { status: 'pending' }, ({ handoffs }) => ({
      handoffs: handoffs.map(({ from, scope, reason }: Payload) => ({ from, scope, reason })),
    }));
    await say('codex', codex, 'getHandoff', { handoffId, include: ['package'] }, ({ package: handed }) => ({
      brief: handed.brief.text,
      provenance: handed.provenance,
    }));
    await say('codex', codex, 'acceptHandoff', { handoffId, reason: 'I have access to the replica.' }, brief);
    const late = { sessionKey, contextType: 'message', content: 'one more idea' };
    await say('claude', claude, 'updateContext', late, ({ success, errorCode, error }) => ({
      success,
      errorCode,
      error,
    }));
    await say(
      'codex',
      codex,
      'updateContext',
      {
        ...late,
        content: 'Index created on the replica: 41 minutes instead of 190.',
        metadata: { note: 'done' },
      },
      ({ success, contextEntry }) => ({
        success,
        sequenceNumber: contextEntry.sequenceNumber,
      }),
    );
    return lines
      .join('\n')
      .replaceAll(handoffId, '<handoffId>')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .trim();
  } finally {
    await Promise.all([claude.close(), codex.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}
