/** Every page in every state that a person may meet: for pictures, and for the accessibility check. */
import { asked } from './states/asked.js';
import { beforeSigning } from './states/before-signing.js';
import { bundles } from './states/bundles.js';
import { careful } from './states/careful.js';
import { ended } from './states/ended.js';
import type { State } from './states/scene.js';
import { sent } from './states/sent.js';
import { sessions } from './states/sessions.js';
import { warnings } from './states/warnings.js';

export const states: readonly State[] = [
  ...beforeSigning,
  ...warnings,
  ...asked,
  ...sent,
  ...careful,
  ...ended,
  ...bundles,
  ...sessions,
];
