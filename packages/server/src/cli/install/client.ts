/** What is known of an assistant. One file for each in clients/; docs/assistants has a page for each. */
import type { Environment } from '../../config/setting-reader.js';
import type { Launch, ServerCommand } from './launch.js';
import type { Piece } from './piece.js';

export type Scope = 'user' | 'project';

export interface Surroundings {
  readonly home: string;
  readonly project: string;
  readonly env: Environment;
}

export interface Wanted extends Surroundings {
  readonly scope: Scope;
  readonly launch: Launch;
}

export type PieceKind = 'entry' | 'hook' | 'command';

/** What the client's own program keeps for us, because its file is not ours to edit. */
export interface ProgramPart {
  readonly program: string;
  /** For the record and for people. */
  readonly file: string;
  readonly value: ServerCommand;
  readonly add: readonly string[];
  /** Absent: the program has no such command, and this says what the user does instead. */
  readonly remove?: readonly string[];
  readonly byHand: string;
  /** What it keeps now under our name; undefined: nothing, or it cannot be known. */
  present(): ServerCommand | undefined;
}

export interface Client {
  readonly name: string;
  readonly title: string;
  /** On PATH, where the client has one. */
  readonly program: string;
  readonly scopes: readonly Scope[];
  /** What the rows were read in, and when; `version` where it is one of the client's own. */
  readonly facts: { readonly read: string; readonly in: string; readonly version?: string };
  /** A folder that is there where the client is used. */
  folder(around: Surroundings): string;
  pieces(wanted: Wanted): Readonly<Partial<Record<PieceKind, readonly Piece[]>>>;
  part?(wanted: Wanted): ProgramPart | undefined;
  /** What the user should know after an installation. */
  notes(scope: Scope): readonly string[];
}
