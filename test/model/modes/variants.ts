/** A model under another authority, or with nobody in the list. */
import type { ModeModel } from './mode-model.js';

/** Roles: exactly these commit. Without: whoever takes part. */
export function withAuthority<State>(model: ModeModel<State>, roles?: readonly string[]): ModeModel<State> {
  const { owner, participants, rules } = model;
  const commitment = {
    ...(rules.commitment as object | undefined),
    authority: roles ? 'designated_role' : 'any_participant',
    designated_roles: roles ?? [],
  };
  const committers = roles ?? [...new Set([owner, ...participants])];
  return { ...model, rules: { ...rules, commitment }, committers };
}

/** Decision Mode alone may start so. */
export const withNobody = <State>(model: ModeModel<State>): ModeModel<State> => ({
  ...model,
  participants: [],
  hears: () => false,
});
