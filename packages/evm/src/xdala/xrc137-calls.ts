/** What a rule reads before it judges: API calls and contract reads. */
import { below, type Fields, type Issues, isFields, isText, isWhole } from '@handover/core';
import { count, expression, Limit, length, texts } from './limits.js';
import { isIdentifier, isXrcType } from './shapes.js';
import { checkTypedValue } from './typed-value.js';

const CALL_KEYS = new Set([
  'name',
  'method',
  'urlTemplate',
  'contentType',
  'headers',
  'bodyTemplate',
  'timeoutMs',
  'extractMap',
]);
const EXTRACT_KEYS = new Set(['type', 'value', 'default', 'save']);
const READ_KEYS = new Set(['to', 'function', 'args', 'saveAs', 'rpc']);
const TARGET_KEYS = new Set(['key', 'type', 'default']);
const METHODS = new Set<unknown>(['GET', 'POST', 'PUT', 'PATCH']);

export function checkApiCalls(calls: unknown, path: string, issues: Issues): void {
  if (!Array.isArray(calls)) {
    issues.error('XRC137_APICALLS_NOT_ARRAY', path, 'apiCalls must be a list');
    return;
  }
  if (!count(issues, path, calls.length, Limit.apiCalls, 'API calls')) return;
  for (const [i, call] of calls.entries()) {
    if (isFields(call)) checkApiCall(call, `${path}.${i}`, issues);
    else issues.error('XRC137_APICALL_NOT_OBJECT', `${path}.${i}`, 'an API call must be an object');
  }
}

function checkApiCall(call: Fields, path: string, issues: Issues): void {
  const flaw = (name: string, key: string, message: string) =>
    issues.error(`XRC137_APICALL_${name}`, `${path}.${key}`, message);
  issues.onlyKeys(call, CALL_KEYS, 'XRC137_APICALL_FIELD_INVALID', path);
  if (!isText(call.name)) flaw('NAME_INVALID', 'name', 'name is missing');
  if (!isText(call.urlTemplate)) flaw('URL_TEMPLATE_MISSING', 'urlTemplate', 'urlTemplate is missing');
  length(issues, `${path}.urlTemplate`, call.urlTemplate, Limit.urlTemplate);
  if (!METHODS.has(call.method)) flaw('METHOD_INVALID', 'method', 'must be GET, POST, PUT or PATCH');
  if (call.contentType !== undefined && call.contentType !== 'json')
    flaw('CONTENT_TYPE_INVALID', 'contentType', 'must be json');
  if (call.headers !== undefined && !isFields(call.headers))
    flaw('HEADERS_INVALID', 'headers', 'must be an object');
  if (isFields(call.headers))
    for (const [name, value] of Object.entries(call.headers))
      if (typeof value !== 'string') flaw('HEADER_VALUE_INVALID', `headers.${name}`, 'must be text');
  if (call.bodyTemplate !== undefined && typeof call.bodyTemplate !== 'string')
    flaw('BODY_TEMPLATE_INVALID', 'bodyTemplate', 'must be text');
  length(issues, `${path}.bodyTemplate`, call.bodyTemplate, Limit.bodyTemplate);
  if (call.timeoutMs !== undefined && !isWhole(call.timeoutMs))
    flaw('TIMEOUT_INVALID', 'timeoutMs', 'must be a whole number, 0 or more');
  checkExtractMap(call.extractMap, `${path}.extractMap`, issues);
}

function checkExtractMap(map: unknown, path: string, issues: Issues): void {
  if (!isFields(map) || Object.keys(map).length === 0) {
    issues.error('XRC137_EXTRACTMAP_REQUIRED', path, 'extractMap must be an object that is not empty');
    return;
  }
  if (!count(issues, path, Object.keys(map).length, Limit.extractMap, 'extracted values')) return;
  for (const [alias, spec] of Object.entries(map)) {
    const at = below(path, alias);
    if (!isIdentifier(alias)) issues.error('XRC137_EXTRACT_ALIAS_INVALID', at, 'is not an identifier');
    if (!isFields(spec)) {
      issues.error('XRC137_EXTRACT_SPEC_NOT_OBJECT', at, 'is {type, value, default?, save?}');
      continue;
    }
    issues.onlyKeys(spec, EXTRACT_KEYS, 'XRC137_EXTRACT_SPEC_FIELD_INVALID', at);
    if (!isXrcType(spec.type))
      issues.error('XRC137_EXTRACT_SPEC_TYPE_INVALID', `${at}.type`, 'is not one of the 14 types');
    if (!isText(spec.value))
      issues.error(
        'XRC137_EXTRACT_SPEC_VALUE_MISSING',
        `${at}.value`,
        'value is missing (it is not called expr)',
      );
    else expression(issues, `${at}.value`, spec.value);
    if (spec.save !== undefined && typeof spec.save !== 'boolean')
      issues.error('XRC137_EXTRACT_SPEC_SAVE_INVALID', `${at}.save`, 'must be true or false');
    texts(issues, `${at}.default`, spec.default);
  }
}

export function checkContractReads(reads: unknown, path: string, issues: Issues): void {
  if (!Array.isArray(reads)) {
    issues.error('XRC137_CONTRACTREADS_NOT_ARRAY', path, 'contractReads must be a list');
    return;
  }
  if (!count(issues, path, reads.length, Limit.contractReads, 'contract reads')) return;
  for (const [i, read] of reads.entries()) {
    if (isFields(read)) checkContractRead(read, `${path}.${i}`, issues);
    else issues.error('XRC137_CONTRACTREAD_NOT_OBJECT', `${path}.${i}`, 'a contract read must be an object');
  }
}

function checkContractRead(read: Fields, path: string, issues: Issues): void {
  const flaw = (name: string, key: string, message: string) =>
    issues.error(`XRC137_CONTRACTREAD_${name}`, `${path}.${key}`, message);
  issues.onlyKeys(read, READ_KEYS, 'XRC137_CONTRACTREAD_FIELD_INVALID', path);
  if (!isText(read.to)) flaw('TO_MISSING', 'to', 'to is missing');
  if (!isText(read.function)) flaw('FUNCTION_MISSING', 'function', 'function is missing');
  if (read.args !== undefined && !Array.isArray(read.args))
    flaw('ARGS_INVALID', 'args', 'args must be a list');
  if (Array.isArray(read.args))
    for (const [i, arg] of read.args.entries()) checkTypedValue(arg, `${path}.args.${i}`, issues);
  const { saveAs } = read;
  if (typeof saveAs === 'string')
    flaw('SAVEAS_LEGACY_STRING', 'saveAs', 'saveAs is {"0": {key, type, default?}} now');
  else if (!isFields(saveAs) || Object.keys(saveAs).length === 0)
    flaw('SAVEAS_INVALID', 'saveAs', 'saveAs must be an object that is not empty');
  else if (count(issues, `${path}.saveAs`, Object.keys(saveAs).length, Limit.saveAs, 'saved values'))
    for (const [index, target] of Object.entries(saveAs)) {
      if (!/^\d+$/.test(index))
        flaw('SAVEAS_KEY_INVALID', `saveAs.${index}`, 'must be the number of a return value');
      checkTarget(target, `saveAs.${index}`, flaw, path, issues);
    }
}

function checkTarget(
  target: unknown,
  key: string,
  flaw: (name: string, key: string, message: string) => void,
  path: string,
  issues: Issues,
): void {
  if (!isFields(target)) {
    flaw('SAVE_TARGET_NOT_OBJECT', key, 'is {key, type, default?}');
    return;
  }
  issues.onlyKeys(target, TARGET_KEYS, 'XRC137_CONTRACTREAD_SAVE_TARGET_FIELD_INVALID', `${path}.${key}`);
  if (!isIdentifier(target.key)) flaw('SAVE_TARGET_KEY_INVALID', `${key}.key`, 'is not an identifier');
  if (!isXrcType(target.type)) flaw('SAVE_TARGET_TYPE_INVALID', `${key}.type`, 'is not one of the 14 types');
}
