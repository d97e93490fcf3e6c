/**
 * Two prompts: hand work over, and pick it up. Their words are those of the skill files (texts/skills.ts). What the
 * person adds stands below them, quoted. They quote nothing that other agents wrote; the model reads that with tools.
 */
import type { GetPromptResult, InputRequiredResult, Prompt } from '@modelcontextprotocol/server';
import { SKILLS, type Skill } from '../../../texts/skills.js';
import type { Answers } from '../tool.js';

export interface PromptSpec {
  readonly prompt: Prompt;
  /** Another name that is answered and not listed. */
  readonly otherName?: string;
  /** The messages, or what the client is asked for first; then it asks again, with the answers. */
  render(
    args: Readonly<Record<string, string>>,
    answers: Answers | undefined,
  ): GetPromptResult | InputRequiredResult;
}

type Arguments = NonNullable<Prompt['arguments']>;

const ARGUMENTS: Readonly<Record<string, { readonly otherName?: string; readonly arguments: Arguments }>> = {
  handoff: {
    arguments: [
      { name: 'to', description: 'Who should go on; without it, whoever resumes next in this project.' },
      { name: 'note', description: 'What the receiver should know besides.' },
    ],
  },
  pickup: {
    otherName: 'resume',
    arguments: [{ name: 'what', description: 'A session or an offer; without it, the newest for you here.' }],
  },
};

function promptOf({ name, title, description, body }: Skill): PromptSpec {
  const { arguments: known = [], otherName } = ARGUMENTS[name] ?? {};
  return {
    prompt: { name, title, description, arguments: known },
    ...(otherName !== undefined && { otherName }),
    render: (args) => {
      const added = known.flatMap((one) =>
        args[one.name] ? [`${one.name}: ${quoted(args[one.name])}`] : [],
      );
      const said = added.length === 0 ? '' : `\nThe user adds:\n${added.join('\n')}\n`;
      return {
        description: title,
        messages: [{ role: 'user', content: { type: 'text', text: body + said } }],
      };
    },
  };
}

/** As JSON, so that a text with line breaks cannot look like a line of the prompt. */
const quoted = (text = ''): string => JSON.stringify(text);

export const PROMPTS: readonly PromptSpec[] = SKILLS.map(promptOf);

export const findPrompt = (prompts: readonly PromptSpec[], name: string): PromptSpec | undefined =>
  prompts.find(({ prompt, otherName }) => name === prompt.name || name === otherName);
