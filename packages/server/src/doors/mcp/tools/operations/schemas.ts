/** The two published schemas. Validators check what a schema cannot say: references, flow, limits across fields. */
import { FAMILIES, Family } from '@handover/core';
import { XRC_TYPES } from '@handover/evm';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const text = { type: 'string', minLength: 1 } as const;
const address = { type: 'string', pattern: '^0x[a-fA-F0-9]{40}$' } as const;
const alias = { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_-]{1,127}$' } as const;
const whole = { type: 'integer', minimum: 0 } as const;
const object = { type: 'object' } as const;

const strict = (required: readonly string[], properties: object) =>
  ({ type: 'object', required, properties, additionalProperties: false }) as const;

const xrcType = { enum: XRC_TYPES };

const meta = (type: string) =>
  strict(['type', 'alias', 'bundleId'], {
    type: { const: type },
    alias,
    bundleId: text,
    version: {},
    deployedAddress: address,
  });

const branch729 = strict([], {
  spawns: { type: 'array', items: { type: 'string' }, maxItems: 32 },
  join: strict(['joinid'], {
    joinid: text,
    mode: {
      anyOf: [{ enum: ['any', 'all'] }, strict(['kofn'], { kofn: { type: 'integer', minimum: 1 } })],
    },
    waitonjoin: { enum: ['drain', 'kill'] },
    from: {
      type: 'array',
      maxItems: 32,
      items: strict(['node'], { node: text, when: { enum: ['valid', 'invalid', 'any', 'both'] } }),
    },
  }),
});

const branch137 = strict([], {
  waitSec: { type: ['integer', 'string'] },
  payload: object,
  execution: strict([], {
    to: {},
    function: {},
    args: { type: 'array', maxItems: 16 },
    value: object,
    gas: object,
    extras: {},
  }),
  encryptLogs: { type: 'boolean' },
  logExpireDays: whole,
  grants: {
    type: 'array',
    maxItems: 16,
    items: strict(['address', 'rights'], {
      address,
      rights: { type: 'integer', minimum: 1, maximum: 7 },
      expireDays: whole,
      logExpireDays: whole,
    }),
  },
  wakeUps: {
    type: 'array',
    items: strict(['runner', 'sessionId', 'stepId'], {
      runner: text,
      sessionId: { type: ['integer', 'string'] },
      stepId: text,
      payload: object,
    }),
  },
});

const xrc729 = strict(['id', 'bundleId', 'meta', 'structure'], {
  id: text,
  bundleId: text,
  name: {},
  address,
  meta: meta('xrc729'),
  structure: {
    type: 'object',
    minProperties: 1,
    maxProperties: 128,
    propertyNames: { pattern: '^[A-Za-z][A-Za-z0-9_-]*$' },
    additionalProperties: strict(['rule'], {
      rule: { type: 'string', pattern: '^(0x[a-fA-F0-9]{40}|cm:xrc137:[A-Za-z][A-Za-z0-9_-]{1,127})$' },
      id: { type: 'string' },
      onValid: branch729,
      onInvalid: branch729,
    }),
  },
});

const xrc137 = strict(['id', 'bundleId', 'address', 'meta', 'payload'], {
  id: text,
  bundleId: text,
  name: {},
  contractId: {},
  address: text,
  meta: meta('xrc137'),
  payload: {
    type: 'object',
    maxProperties: 64,
    propertyNames: { pattern: '^[A-Za-z_][A-Za-z0-9_]*$' },
    additionalProperties: strict(['type'], { type: xrcType, default: {} }),
  },
  apiCalls: { type: 'array', maxItems: 16 },
  contractReads: { type: 'array', maxItems: 16 },
  rules: { type: 'array', maxItems: 64, items: { type: ['string', 'object'] } },
  onValid: branch137,
  onInvalid: branch137,
});

export const MULTI_BUNDLE_SCHEMA = {
  $schema: DIALECT,
  title: 'xgr-multi-bundle@1',
  ...strict(['format', 'createdAt', 'bundles'], {
    format: { const: 'xgr-multi-bundle@1' },
    createdAt: text,
    bundles: {
      type: 'array',
      minItems: 1,
      items: strict(['bundleId', 'items'], {
        bundleId: text,
        items: { type: 'array', minItems: 2, items: { anyOf: [xrc729, xrc137] } },
      }),
    },
  }),
};

export const SESSION_START_SCHEMA = {
  $schema: DIALECT,
  title: 'xgr-session-start@1',
  ...strict(['type', 'version', 'sessions'], {
    type: { const: 'xdala_session_start' },
    version: { const: 'xgr-session-start@1' },
    handle: { type: 'string', pattern: FAMILIES[Family.SessionStart].idShape.source },
    mode: { enum: ['single', 'queue'] },
    sessions: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      items: strict(['orchestration', 'ostcId', 'stepId', 'payload', 'maxTotalGas'], {
        orchestration: address,
        ostcId: text,
        stepId: text,
        payload: object,
        maxTotalGas: whole,
        ostcHash: { type: 'string', pattern: '^0x[a-fA-F0-9]{64}$' },
        expiry: { type: 'integer', minimum: 1 },
        starterAddress: address,
        __uid: { type: 'string' },
      }),
    },
    summary: object,
    execution: object,
    signing: object,
    executorGrants: object,
    chain: object,
    ui: object,
    security: object,
  }),
};
