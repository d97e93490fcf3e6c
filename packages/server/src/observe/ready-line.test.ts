import { expect, it } from 'vitest';
import { devBanner } from './banner.js';
import { readyLine } from './ready-line.js';

it('the ready line has the form that scripts wait for', () => {
  const facts = {
    grpc: { host: '127.0.0.1', port: 50051 },
    httpUrl: 'http://127.0.0.1:3100',
    store: 'sqlite',
    auth: 'dev',
  };
  expect(readyLine(facts)).toBe(
    'handover ready grpc=127.0.0.1:50051 http=http://127.0.0.1:3100 store=sqlite auth=dev',
  );
  expect(readyLine({ ...facts, grpc: { host: '::1', port: 1 } })).toContain(' grpc=[::1]:1 ');
});

it('the banner says what dev mode means, in lines of one width', () => {
  const lines = devBanner('/home/ann/.local/share/handover-dev').trimEnd().split('\n');
  expect(new Set(lines.map(({ length }) => length)).size).toBe(1);
  expect(lines.join()).toContain('DEV MODE: credentials are not checked');
  expect(lines.join()).toContain('Its data is in /home/ann/.local/share/handover-dev ');
  expect(devBanner()).not.toContain('Its data');
});
