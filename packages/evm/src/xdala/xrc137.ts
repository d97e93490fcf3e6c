/** A rule: its inputs, its checks; calls and branches have files of their own. */
import { below, type Fields, type Issues, isFields, isText, member } from '@handover/core';
import { isAddress, isMistyped, MISTYPED } from '../shapes.js';
import { checkItem } from './item-meta.js';
import { count, documentBytes, expression, Limit, length, texts } from './limits.js';
import { aliasOf, isIdentifier, isXrcType } from './shapes.js';
import { checkBranch } from './xrc137-branch.js';
import { checkApiCalls, checkContractReads } from './xrc137-calls.js';

const ITEM_KEYS = new Set([
  'id',
  'bundleId',
  'address',
  'meta',
  'payload',
  'name',
  'contractId',
  'apiCalls',
  'contractReads',
  'rules',
  'onValid',
  'onInvalid',
]);
const FIELD_KEYS = new Set(['type', 'default']);
const RULE_KEYS = new Set(['expression', 'type']);
const RULE_TYPES = new Set<unknown>(['validate', 'abortStep', 'cancelSession']);

export function checkXrc137(
  item: Fields,
  path: string,
  bundleId: unknown,
  steps: ReadonlySet<string>,
  issues: Issues,
): void {
  checkItem(item, 'xrc137', ITEM_KEYS, path, bundleId, issues);
  checkAddress(item, path, issues);
  checkPayload(item.payload, `${path}.payload`, issues);
  if (item.rules !== undefined) checkRules(item.rules, `${path}.rules`, issues);
  if (item.apiCalls !== undefined) checkApiCalls(item.apiCalls, `${path}.apiCalls`, issues);
  if (item.contractReads !== undefined)
    checkContractReads(item.contractReads, `${path}.contractReads`, issues);
  for (const name of ['onValid', 'onInvalid'] as const)
    if (item[name] !== undefined) checkBranch(item[name], `${path}.${name}`, steps, issues);
  documentBytes(issues, path, item, Limit.ruleBytes);
}

function checkAddress({ address, meta }: Fields, path: string, issues: Issues): void {
  if (address === undefined) issues.error('XRC137_ADDRESS_MISSING', `${path}.address`, 'address is missing');
  else if (
    !isAddress(address) &&
    (aliasOf(address) === undefined || aliasOf(address) !== member(meta, 'alias'))
  )
    issues.error(
      'XRC137_ADDRESS_INVALID',
      `${path}.address`,
      'address must be an address or cm:xrc137: and the own alias',
    );
  else if (isMistyped(address)) issues.error('XRC137_ADDRESS_INVALID', `${path}.address`, MISTYPED);
}

function checkPayload(payload: unknown, path: string, issues: Issues): void {
  if (!isFields(payload)) {
    issues.error('XRC137_PAYLOAD_INVALID', path, 'payload must be an object');
    return;
  }
  if (!count(issues, path, Object.keys(payload).length, Limit.payloadFields, 'fields')) return;
  for (const [name, field] of Object.entries(payload)) {
    const at = below(path, name);
    if (!isIdentifier(name)) issues.error('XRC137_PAYLOAD_FIELD_NAME_INVALID', at, 'is not an identifier');
    length(issues, at, name, Limit.fieldName);
    if (!isFields(field)) {
      issues.error('XRC137_PAYLOAD_FIELD_NOT_OBJECT', at, 'a field is {type, default?}');
      continue;
    }
    issues.onlyKeys(field, FIELD_KEYS, 'XRC137_PAYLOAD_FIELD_KEY_INVALID', at);
    if (field.required === true)
      issues.error(
        'XRC137_PAYLOAD_REQUIRED_INVALID',
        `${at}.required`,
        'a field without a default is required; there is no other way to say it',
      );
    if (!isXrcType(field.type))
      issues.error('XRC137_PAYLOAD_TYPE_INVALID', `${at}.type`, 'is not one of the 14 types');
    texts(issues, `${at}.default`, field.default);
  }
}

function checkRules(rules: unknown, path: string, issues: Issues): void {
  if (!Array.isArray(rules)) {
    issues.error('XRC137_RULES_NOT_ARRAY', path, 'rules must be a list');
    return;
  }
  if (!count(issues, path, rules.length, Limit.rules, 'rules')) return;
  for (const [i, rule] of rules.entries()) checkRule(rule, `${path}.${i}`, issues);
}

function checkRule(rule: unknown, path: string, issues: Issues): void {
  if (typeof rule === 'string') {
    if (!isText(rule)) issues.error('XRC137_RULE_STRING_EMPTY', path, 'the rule is empty');
    expression(issues, path, rule);
    return;
  }
  if (!isFields(rule)) {
    issues.error('XRC137_RULE_INVALID', path, 'a rule is text or {expression, type}');
    return;
  }
  issues.onlyKeys(rule, RULE_KEYS, 'XRC137_RULE_FIELD_INVALID', path);
  if (!isText(rule.expression))
    issues.error('XRC137_RULE_EXPRESSION_MISSING', `${path}.expression`, 'expression is missing');
  else expression(issues, `${path}.expression`, rule.expression);
  if (rule.type !== undefined && !RULE_TYPES.has(rule.type))
    issues.error('XRC137_RULE_TYPE_INVALID', `${path}.type`, 'must be validate, abortStep or cancelSession');
}
