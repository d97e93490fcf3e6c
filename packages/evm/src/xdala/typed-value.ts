import { type Issues, isFields } from '@handover/core';
import { texts } from './limits.js';
import { isXrcType } from './shapes.js';

const KEYS = new Set(['type', 'value', 'default']);

/** An argument of a read or an execution: {type, value, default?}. */
export function checkTypedValue(value: unknown, path: string, issues: Issues): void {
  if (!isFields(value)) {
    issues.error('TYPED_VALUE_NOT_OBJECT', path, 'is {type, value, default?}');
    return;
  }
  issues.onlyKeys(value, KEYS, 'TYPED_VALUE_FIELD_INVALID', path);
  if (!isXrcType(value.type))
    issues.error('TYPED_VALUE_TYPE_INVALID', `${path}.type`, 'is not one of the 14 types');
  if (value.value === undefined)
    issues.error('TYPED_VALUE_VALUE_MISSING', `${path}.value`, 'value is missing');
  texts(issues, path, value);
}
