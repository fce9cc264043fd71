import { isObject } from '../../core/protocol/json-rpc.js';
import type { CompiledSchema, ValidationOutcome } from './compiled-schema.interface.js';
import { formatExpected, formatUnknownName } from './issue-texts.js';
import { buildListedSchema } from './listing/build-listed-schema.js';
import { MOST_ISSUES } from './most-issues.js';

/** The schema of a tool without arguments: takes an empty object, or nothing, which counts as one. */
export const EMPTY_OBJECT_SCHEMA: CompiledSchema = Object.freeze({
  jsonSchema: buildListedSchema({ type: 'object', additionalProperties: false }, 'input'),
  validate: validateEmptyObject,
});

function validateEmptyObject(value: unknown = {}): ValidationOutcome {
  if (!isObject(value))
    return { valid: false, issues: [{ path: '', message: formatExpected('object', value) }] };
  const names = Object.keys(value).slice(0, MOST_ISSUES);
  if (names.length === 0) return { valid: true, value };
  return {
    valid: false,
    issues: names.map((name) => ({ path: name, message: formatUnknownName(name, []) })),
  };
}
