import { plainText } from './plain-text.js';

/** Marks that end or begin a quotation, and those that look like them: also two apostrophes in a row. */
const MARKS =
  /["\u00ab\u00bb\u02ba\u02dd\u02ee\u05f4\u201c-\u201f\u2033-\u2037\u2057\u275d\u275e\u2e42\u3003\u301d-\u301f\uff02\u{1f676}-\u{1f678}]|['`\u00b4\u02b9\u02bc\u2018-\u201b\u2032\uff07]{2,}/gu;

/**
 * The words of others as they stand between “ and ”: on one line, and without a mark that could end the quotation. What
 * follows it would read as the page's own words.
 */
export const quoted = (value: unknown, max: number): string =>
  plainText(value, max).replace(MARKS, "'").replace(/\s+/g, ' ').trim();
