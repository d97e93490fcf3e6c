/**
 * node --import tsx test/conformance/macp-2026/pin-page.ts
 *
 * Pins the statements of the page anew, after the rows of what has changed were read and mended.
 */
import { writeFileSync } from 'node:fs';
import { MANIFEST, manifestText, PAGE, readPage, statementsOf } from './page.js';

const page = readPage();
if (page === undefined) throw new Error(`there is no page at ${PAGE.pathname}`);
writeFileSync(MANIFEST, manifestText(statementsOf(page)));
