import { expect, it } from 'vitest';
import { sentenceIn } from './answer-text.js';

it.each([
  ['message', { message: 'GET /mcp with authorization: Bearer canary-token-123 was refused' }],
  ['error', { error: 'Bearer canary-token-123 is not known' }],
  ['error_description', { error_description: '{"authorization": "Bearer canary-token-123"}' }],
  ['a long one', { message: `${'x '.repeat(232)}Authorization: Bearer canary-token-123` }],
])('assistants:J4 a refusal that repeats the token is shown without it: %s', (_, body) => {
  const sentence = sentenceIn(JSON.stringify(body));
  expect(sentence).toMatch(/refused|known|authorization|x x/i);
  expect(sentence).not.toContain('canary');
});
