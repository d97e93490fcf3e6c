/** The skills in the forms of the clients. */
import { join } from 'node:path';
import { SKILLS, type Skill } from '../../../texts/skills.js';
import type { CommentStyle } from '../edit/own-file.js';
import { filePiece, type Piece } from '../piece.js';

interface SkillForm {
  readonly root: string;
  readonly folder: string;
  name(skill: Skill): string;
  text(skill: Skill): string;
  readonly style: CommentStyle;
}

const frontMatter = (fields: Readonly<Record<string, string>>, body: string): string =>
  ['---', ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`), '---', '', body].join('\n');

export const skillPieces = ({ root, folder, name, text, style }: SkillForm): readonly Piece[] =>
  SKILLS.map((skill) =>
    filePiece({ root, path: join(folder, name(skill)) }, `command ${skill.name}`, text(skill), style),
  );

/** `<folder>/<name>/SKILL.md`: Claude Code and Codex. */
export const skillFolders = (root: string, folder: string): readonly Piece[] =>
  skillPieces({
    root,
    folder,
    name: (skill) => join(skill.name, 'SKILL.md'),
    text: ({ name, description, body }) => frontMatter({ name, description }, body),
    style: 'hash',
  });

export const promptText = ({ description, body }: Skill): string => frontMatter({ description }, body);
