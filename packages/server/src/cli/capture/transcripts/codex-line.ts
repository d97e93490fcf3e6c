/** Lines of Codex's rollout files: `{timestamp, type, payload}`. What is not known is passed over. */
import { isFields } from '@handover/core';
import type { Happening } from './happening.js';

const SHELLS = new Set(['shell', 'shell_command', 'exec_command', 'local_shell', 'container.exec']);
/** What the client puts before the user's words, in the user's name. */
const NOT_THE_USER =
  /^\s*(?:<(?:environment_context|user_instructions|permissions|turn_aborted|skill|user_shell_command|subagent|INSTRUCTIONS)|# AGENTS\.md)/;
const PATCHED = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm;
const FAILED_CODE = /^(?:Process exited with code|Exit code:?|exit code:?) (-?[0-9]+)$/im;

export function readCodexLine(value: unknown): readonly Happening[] | undefined {
  if (!isFields(value) || typeof value.type !== 'string' || !isFields(value.payload)) return undefined;
  const { type, payload } = value;
  if (type === 'event_msg') return eventOf(payload);
  return type === 'response_item' ? itemOf(payload) : [];
}

/** The words of both sides stand here and, with what the client adds, among the items. */
function eventOf({ type, message }: Readonly<Record<string, unknown>>): readonly Happening[] {
  if (typeof message !== 'string') return [];
  if (type === 'user_message') return asked(message);
  return type === 'agent_message' ? answered(message) : [];
}

function itemOf(item: Readonly<Record<string, unknown>>): readonly Happening[] {
  switch (item.type) {
    case 'message': {
      const text = textOf(item.content);
      if (item.role === 'user') return asked(text);
      return item.role === 'assistant' ? answered(text) : [];
    }
    case 'function_call':
    case 'custom_tool_call':
    case 'local_shell_call':
      return calledOf(item);
    case 'function_call_output':
    case 'custom_tool_call_output':
      return typeof item.call_id === 'string'
        ? [{ kind: 'returned', id: item.call_id, ...result(item.output) }]
        : [];
    default:
      return [];
  }
}

const asked = (text: string): readonly Happening[] =>
  text.trim() === '' || NOT_THE_USER.test(text) ? [] : [{ kind: 'asked', text }];

const answered = (text: string): readonly Happening[] =>
  text.trim() === '' ? [] : [{ kind: 'answered', text }];

function calledOf(item: Readonly<Record<string, unknown>>): readonly Happening[] {
  const { call_id: id, name, arguments: given, input, action } = item;
  if (typeof id !== 'string') return [];
  const parsed = typeof given === 'string' ? parsedFields(given) : undefined;
  if (name === 'update_plan')
    return Array.isArray(parsed?.plan) ? [{ kind: 'planned', items: plan(parsed.plan) }] : [];
  if (name === 'apply_patch')
    return written(id, typeof input === 'string' ? input : textField(parsed, 'input'));
  const command = commandOf(isFields(action) ? action : parsed);
  if (command === undefined || !(SHELLS.has(String(name)) || item.type === 'local_shell_call')) return [];
  // A patch may also come through the shell.
  const files = command.includes('*** Begin Patch') ? filesOf(command) : [];
  return files.length > 0 ? [{ kind: 'called', id, files }] : [{ kind: 'called', id, files: [], command }];
}

const written = (id: string, patch: string): readonly Happening[] => [
  { kind: 'called', id, files: filesOf(patch) },
];

const filesOf = (patch: string): readonly string[] =>
  [...patch.matchAll(PATCHED)].map(([, path = '']) => path.trim());

function commandOf(fields: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const command = fields?.command ?? fields?.cmd;
  if (typeof command === 'string') return command;
  if (!Array.isArray(command)) return undefined;
  const words = command.filter((word) => typeof word === 'string');
  // `bash -lc "…"` is how it starts any command.
  return /^(?:\S*\/)?(?:ba|z|)sh$/.test(words[0] ?? '') && /^-\w*c$/.test(words[1] ?? '')
    ? words.slice(2).join(' ')
    : words.join(' ');
}

/** Outputs are plain text, a JSON text with an exit code, or an object that says whether it went well. */
function result(output: unknown): { readonly failed: boolean; readonly text: string } {
  if (isFields(output))
    return {
      failed: output.success === false,
      text: typeof output.content === 'string' ? output.content : '',
    };
  if (Array.isArray(output)) return { failed: false, text: textOf(output) };
  if (typeof output !== 'string') return { failed: false, text: '' };
  const parsed = output.startsWith('{') ? parsedFields(output) : undefined;
  if (isFields(parsed?.metadata) && typeof parsed.output === 'string')
    return { failed: Number(parsed.metadata.exit_code ?? 0) !== 0, text: parsed.output };
  const code = FAILED_CODE.exec(output)?.[1] ?? '0';
  const text = /(?:^|\n)Output:\n([\s\S]*)$/.exec(output)?.[1] ?? output;
  return { failed: code !== '0' || output.startsWith('execution error:'), text };
}

const plan = (steps: readonly unknown[]) =>
  steps.flatMap((step) =>
    isFields(step) && typeof step.step === 'string'
      ? [{ text: step.step, done: step.status === 'completed' }]
      : [],
  );

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((block) => (isFields(block) && typeof block.text === 'string' ? [block.text] : []))
    .join('\n');
}

const textField = (fields: Readonly<Record<string, unknown>> | undefined, name: string): string => {
  const value = fields?.[name];
  return typeof value === 'string' ? value : '';
};

function parsedFields(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
