import { refused } from './conventions/failure.js';

export function requireUnixSockets(): void {
  if (process.platform !== 'win32') return;
  throw refused(
    'this needs a Unix socket, which is not there on Windows',
    'Run "handover serve" and start the assistant with "handover mcp --server URL", or use WSL',
  );
}
