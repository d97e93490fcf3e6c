/** Lines of Claude Code's transcripts. Their form is not documented: what is not known is passed over. */
import { isFields } from '@handover/core';
import type { Happening } from './happening.js';

const WRITERS: Readonly<Record<string, string>> = {
  Write: 'file_path',
  Edit: 'file_path',
  MultiEdit: 'file_path',
  NotebookEdit: 'notebook_path',
};
/** What the client itself says in the user's name: slash commands, their output, interruptions. */
const NOT_THE_USER =
  /^\s*(?:<(?:command-|local-command-|bash-|system-reminder|task-notification)|\[Request interrupted)/;

export function readClaudeLine(value: unknown): readonly Happening[] | undefined {
  if (!isFields(value) || typeof value.type !== 'string') return undefined;
  const { type, message, isMeta, isSidechain, isCompactSummary } = value;
  if (type !== 'user' && type !== 'assistant') return [];
  // Sub-agents and summaries of the client are no words of the user or for the user.
  if (isMeta === true || isSidechain === true || isCompactSummary === true) return [];
  if (!isFields(message)) return undefined;
  const { content } = message;
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  if (!Array.isArray(blocks)) return undefined;
  return blocks.flatMap((block) => happeningsOf(block, type));
}

function happeningsOf(block: unknown, type: 'user' | 'assistant'): readonly Happening[] {
  if (!isFields(block)) return [];
  if (block.type === 'text' && typeof block.text === 'string') return said(block.text, type);
  if (block.type === 'tool_use' && isFields(block.input)) return used(block, block.input);
  if (block.type === 'tool_result' && typeof block.tool_use_id === 'string')
    return [
      {
        kind: 'returned',
        id: block.tool_use_id,
        failed: block.is_error === true,
        text: textOf(block.content),
      },
    ];
  return [];
}

function said(text: string, type: 'user' | 'assistant'): readonly Happening[] {
  if (text.trim() === '') return [];
  if (type === 'assistant') return [{ kind: 'answered', text }];
  return NOT_THE_USER.test(text) ? [] : [{ kind: 'asked', text }];
}

function used(
  { id, name }: Readonly<Record<string, unknown>>,
  input: Readonly<Record<string, unknown>>,
): readonly Happening[] {
  if (typeof id !== 'string' || typeof name !== 'string') return [];
  if (name === 'TodoWrite' && Array.isArray(input.todos))
    return [{ kind: 'planned', items: plan(input.todos) }];
  if (name === 'Bash' && typeof input.command === 'string')
    return [{ kind: 'called', id, files: [], command: input.command }];
  const path = Object.hasOwn(WRITERS, name) ? input[WRITERS[name] ?? ''] : undefined;
  return typeof path === 'string' ? [{ kind: 'called', id, files: [path] }] : [];
}

const plan = (todos: readonly unknown[]) =>
  todos.flatMap((todo) =>
    isFields(todo) && typeof todo.content === 'string'
      ? [{ text: todo.content, done: todo.status === 'completed' }]
      : [],
  );

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((block) => (isFields(block) && typeof block.text === 'string' ? [block.text] : []))
    .join('\n');
}
