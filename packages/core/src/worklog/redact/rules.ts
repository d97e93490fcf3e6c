/**
 * The shapes of secrets, in the order in which they are looked for. Where a rule has a group, it is what stands before
 * the value and stays. They find shapes, not secrets: a password in prose has none.
 */
export interface RedactionRule {
  readonly name: string;
  readonly shape: RegExp;
}

export const REDACTION_RULES: readonly RedactionRule[] = [
  {
    name: 'private-key',
    shape:
      /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  },
  {
    name: 'aws-key-id',
    shape: /\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}\b/g,
  },
  {
    name: 'github',
    shape: /\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{50,255})\b/g,
  },
  {
    name: 'gitlab',
    shape: /\bglpat-[A-Za-z0-9_-]{20,}/g,
  },
  {
    name: 'slack',
    shape: /\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-\d-[A-Z0-9]+-\d+-[a-f0-9]+/g,
  },
  {
    name: 'openai-anthropic',
    shape: /\bsk-(?:ant-|proj-|svcacct-|or-)?[A-Za-z0-9_-]{20,}/g,
  },
  {
    name: 'google',
    shape: /\bAIza[A-Za-z0-9_-]{35}\b|\bya29\.[A-Za-z0-9_-]{20,}/g,
  },
  {
    name: 'stripe',
    shape: /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}|\bwhsec_[A-Za-z0-9+/=]{20,}/g,
  },
  {
    name: 'npm-pypi-hf',
    shape: /\bnpm_[A-Za-z0-9]{36}\b|\bpypi-[A-Za-z0-9_-]{40,}|\bhf_[A-Za-z0-9]{30,}/g,
  },
  {
    name: 'jwt',
    // A word that no token can end is left after one look: without the first two parts every eyJ in it would be tried.
    shape:
      /(?<![A-Za-z0-9_-])(?=[A-Za-z0-9_-]+\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10})([A-Za-z0-9_-]*?)\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g,
  },
  {
    name: 'authorization',
    shape:
      /(\b(?:authorization|proxy-authorization|x-api-key|cookie|set-cookie)["']?\s*[:=]\s*["']?(?:(?:bearer|basic|token)\s+)?)(?!\[redacted)[^\s"',;]{8,}/gi,
  },
  {
    name: 'url-userinfo',
    shape: /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{1,64}:)[^\s/@]{1,256}(?=@)/gi,
  },
  {
    name: 'url-query',
    shape:
      /([?&](?:access_token|token|api_?key|key|sig|signature|password|secret|code)=)(?!\[redacted)[^&\s#"']{6,}/gi,
  },
  {
    name: 'assignment',
    shape:
      /(\b[A-Za-z0-9_.-]{0,40}(?:secret|passw(?:or)?d|passphrase|api[_-]?key|access[_-]?key|auth[_-]?token|access[_-]?token|refresh[_-]?token|private[_-]?key|client[_-]?secret|mnemonic|seed[_-]?phrase)["']?\s*(?:=|:|=>)\s*["']?)(?!\s|\$\{|\$[A-Z_]|<|process\.env|os\.environ|null\b|none\b|true\b|false\b|undefined\b|\*{3}|\[redacted)[^\s"',;]{6,}/gi,
  },
];
