/** The rules, in the order in which they are looked for. They find shapes, not secrets: a password in prose has none. */
import { ASSIGNMENT_SHAPES } from './assignment-shapes.js';
import { COMMAND_SHAPES } from './command-shapes.js';
import { HEADER_SHAPES } from './header-shapes.js';
import type { ShapeInLines } from './shapes.js';

export interface RedactionRule {
  readonly name: string;
  /** Where a shape has a group, its first is what stands before the value and stays. */
  readonly shapes: readonly (RegExp | ShapeInLines)[];
}

export const REDACTION_RULES: readonly RedactionRule[] = [
  {
    name: 'private-key',
    shapes: [
      /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|$)/g,
    ],
  },
  {
    name: 'aws-key-id',
    shapes: [/\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}\b/g],
  },
  {
    name: 'github',
    shapes: [/\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{50,255})\b/g],
  },
  {
    name: 'gitlab',
    shapes: [/\bglpat-[A-Za-z0-9_-]{20,}/g],
  },
  {
    name: 'slack',
    shapes: [/\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-\d-[A-Z0-9]+-\d+-[a-f0-9]+/g],
  },
  {
    name: 'openai-anthropic',
    shapes: [/\bsk-(?:ant-|proj-|svcacct-|or-)?[A-Za-z0-9_-]{20,}/g],
  },
  {
    name: 'google',
    shapes: [/\bAIza[A-Za-z0-9_-]{35}\b|\bya29\.[A-Za-z0-9_-]{20,}/g],
  },
  {
    name: 'stripe',
    shapes: [/\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}|\bwhsec_[A-Za-z0-9+/=]{20,}/g],
  },
  {
    name: 'vault-sendgrid-docker',
    shapes: [
      /\bhv[sbr]\.[A-Za-z0-9_-]{20,}|\bSG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{20,}|\bdckr_[po]at_[A-Za-z0-9_-]{20,}/g,
    ],
  },
  {
    name: 'npm-pypi-hf',
    shapes: [/\bnpm_[A-Za-z0-9]{36}\b|\bpypi-[A-Za-z0-9_-]{40,}|\bhf_[A-Za-z0-9]{30,}/g],
  },
  {
    name: 'webhook',
    shapes: [
      /(\bhttps:\/\/hooks\.slack\.com\/(?:services|workflows|triggers)\/)[\w/-]{20,}/gi,
      /(\bhttps:\/\/(?:\w{1,16}\.)?discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/)[\w/-]{20,}/gi,
    ],
  },
  {
    name: 'jwt',
    // A word that no token can end is left after one look: without the first two parts every eyJ in it would be tried.
    shapes: [
      /(?<![A-Za-z0-9_-])(?=[A-Za-z0-9_-]+\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10})([A-Za-z0-9_-]*?)\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g,
    ],
  },
  { name: 'authorization', shapes: HEADER_SHAPES },
  {
    name: 'url-query',
    shapes: [
      /([?&](?:(?:access_|id_|refresh_)?token|api_?key|key|sig|(?:x-(?:amz|goog)-)?signature|x-amz-security-token|password|(?:client_)?secret|code)=)(?!\[redacted)[^&\s#"']{6,}/gi,
    ],
  },
  { name: 'assignment', shapes: ASSIGNMENT_SHAPES },
  { name: 'flag', shapes: COMMAND_SHAPES },
  // Last: what others take out may hold a slash, which ends an address here.
  {
    name: 'url-userinfo',
    shapes: [
      // An @ in the password is part of it: the last one ends it.
      /(\b[a-z][a-z0-9+.-]{1,20}:\/\/(?:\[redacted:[a-z-]{1,40}\]|(?!\[redacted:)[^\s/:@]{0,64}):)[^\s/]+(?=@)/gi,
      // A token alone; the name of a user is short, or has no digit.
      /(\bhttps?:\/\/)(?=[^\s/:@]{0,64}\d|[^\s/:@]{20})[^\s/:@]{12,256}(?=@)/gi,
    ],
  },
];
