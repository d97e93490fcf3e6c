/** One table of docs/reference/rejections.md: a mode under one policy. */
import type { PolicyRules } from '../handoff-model.js';
import type { ModeModel } from '../modes/mode-model.js';
import { type HandoffMove, handoffWalk } from './handoff-walk.js';
import { type Move, modeWalk, type Names } from './mode-walk.js';
import { type TableRow, tableOf } from './walk.js';

/** A policy in words: nobody in the session commits, the initiator included. */
export const OUTSIDE = 'one from outside who commits';

interface Heading {
  readonly mode: string;
  /** The policy in words; undefined: policy.default. */
  readonly under?: string;
  /** Beginnings of the messages that it makes a difference to. */
  readonly only?: readonly string[];
}

interface Common extends Heading {
  readonly columns: readonly string[];
}

export interface ModeTable extends Common {
  readonly kind: 'mode';
  readonly model: Pick<ModeModel<unknown>, 'mode' | 'owner' | 'participants' | 'rules' | 'schemaVersion'>;
  readonly rows: readonly TableRow<Move>[];
}

export interface HandoffTable extends Common {
  readonly kind: 'handoff';
  readonly rules: PolicyRules;
  readonly rows: readonly TableRow<HandoffMove>[];
}

export type Table = ModeTable | HandoffTable;

export function ofMode<State>(heading: Heading, model: ModeModel<State>, names: Names<State>): ModeTable {
  const walk = modeWalk(model, names);
  return { kind: 'mode', model, ...heading, columns: walk.columns, rows: shown(tableOf(walk), heading) };
}

export function ofHandoff(heading: Heading, rules: PolicyRules): HandoffTable {
  const walk = handoffWalk(rules);
  return { kind: 'handoff', rules, ...heading, columns: walk.columns, rows: shown(tableOf(walk), heading) };
}

const shown = <M>(rows: readonly TableRow<M>[], { only }: Heading): readonly TableRow<M>[] =>
  only ? rows.filter(({ message }) => only.some((start) => message.startsWith(start))) : rows;
