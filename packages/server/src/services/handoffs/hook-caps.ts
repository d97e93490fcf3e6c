/** How much is said at the start of a conversation. This file loads nothing: hooks read it, too. */

/** Characters of the lines that say what waits. */
export const LINES_CHARACTERS = 1_200;

/** Below what both clients take: 10,000 characters, and 2,500 tokens. */
export const BRIEF_TOKENS = 1_500;
