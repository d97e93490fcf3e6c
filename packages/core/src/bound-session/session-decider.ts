import { createSessionDecider } from '../session/session-decider.js';
import { workingSession } from './working-session.js';

/** The decider of every session, bound to a working session or not. */
export const sessionDecider = createSessionDecider(workingSession);
