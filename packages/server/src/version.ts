import { readFileSync } from 'node:fs';
import { packageFile } from './platform/package-root.js';

/** The version of the package that this file is part of. */
export const VERSION: string = (
  JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }
).version;
