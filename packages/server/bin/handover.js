#!/usr/bin/env node
import { existsSync } from 'node:fs';

const built = new URL('../dist/cli/main.js', import.meta.url);
if (!existsSync(built)) {
  console.error('handover is not built yet: run "npm start" once, or "npm run build"');
  process.exit(1);
}
const { main } = await import(built.href);
await main(process.argv);
