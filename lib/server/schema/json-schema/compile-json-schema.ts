import type { ValidateFunction } from 'ajv';
import type {
  CompiledSchema,
  JsonSchema,
  SchemaDirection,
  ValidationIssue,
  ValidationOutcome,
} from '../compiled-schema.interface.js';
import { copyJson, freezeSchema } from '../json.js';
import { inlineReferences } from '../listing/inline-references.js';
import { SchemaError } from '../schema.error.js';
import { type AjvNeeds, type Dialect, findSchemaFault, getAjv } from './ajv-instances.js';
import { assertReferences } from './assert-references.js';
import { buildAjvIssues } from './build-ajv-issues.js';
import { findJsonCopy } from './find-json-copy.js';
import { findSubschemas, type Subschema } from './find-subschemas.js';
import { hasAtMost } from './has-at-most.js';

/** A value with more members than this is told its first error only: collecting all would let a client fill the memory. */
const MOST_EXPLAINED_MEMBERS = 1_000;

const DIALECTS = new Map<unknown, Dialect>([
  [undefined, 'draft-2020-12'],
  ['https://json-schema.org/draft/2020-12/schema', 'draft-2020-12'],
  ['http://json-schema.org/draft-07/schema', 'draft-07'],
]);

/**
 * Compiles a JSON Schema object of draft 2020-12 or draft 7. Unknown keywords are kept and mean nothing; defaults are
 * filled into a copy of the arguments, never into what the caller holds. It is compiled now, not on the first call. This
 * takes less than a millisecond, and faults that only the compiler finds stop the start. A result that does not fit may fit
 * in its JSON form, which clients get. Examples are dates, database records and members without a value.
 *
 * @throws {SchemaError} when the schema is not valid, refers outside itself, or is an input schema of something else than an object
 * @see MCP 2026-07-28 basic, JSON Schema usage
 */
export function compileJsonSchema(source: JsonSchema, direction: SchemaDirection): CompiledSchema {
  const jsonSchema = freezeSchema(source, direction);
  const dialect = parseDialect(jsonSchema['$schema'], direction);
  if (direction === 'input') assertObject(jsonSchema);
  const subschemas = [...findSubschemas(jsonSchema)];
  const fault = findSchemaFault(jsonSchema, dialect);
  if (fault !== undefined) {
    const isTuple = ({ keywords }: Subschema): boolean => Array.isArray(keywords['items']);
    if (dialect !== 'draft-07' && subschemas.some(isTuple)) throw SchemaError.tupleInItems(direction);
    throw SchemaError.invalid(direction, fault);
  }
  assertReferences(subschemas, direction);
  const needs: AjvNeeds = {
    dialect,
    reportsAll: false,
    fillsDefaults: direction === 'input' && subschemas.some(({ keywords }) => 'default' in keywords),
    hasIdentity: subschemas.some(({ keywords }) => '$id' in keywords),
  };
  return {
    jsonSchema: inlineReferences(jsonSchema),
    validate: createValidate(jsonSchema, needs, direction),
  };
}

function assertObject({ type, $ref }: JsonSchema): void {
  if (type === 'object') return;
  throw type === undefined && $ref !== undefined
    ? SchemaError.referenceAtRoot('input', $ref)
    : SchemaError.notAnObject('input', type);
}

function parseDialect(name: unknown, direction: SchemaDirection): Dialect {
  const dialect = DIALECTS.get(typeof name === 'string' ? name.replace(/#$/, '') : name);
  if (dialect === undefined) throw SchemaError.unknownDialect(direction, name);
  return dialect;
}

function createValidate(
  schema: JsonSchema,
  needs: AjvNeeds,
  direction: SchemaDirection,
): CompiledSchema['validate'] {
  const check = compile(schema, needs, direction);
  const prepare = needs.fillsDefaults ? copyJson : (value: unknown) => value;
  let explain: ValidateFunction | undefined;

  function findIssues(value: unknown): readonly ValidationIssue[] {
    if (!hasAtMost(value, MOST_EXPLAINED_MEMBERS)) return takeIssues(check);
    explain ??= compile(schema, { ...needs, reportsAll: true }, direction);
    explain(prepare(value));
    return takeIssues(explain);
  }

  function refuse(value: unknown): ValidationOutcome {
    return { valid: false, issues: findIssues(value) };
  }

  return (value) => {
    const prepared = prepare(value);
    if (check(prepared)) return { valid: true, value: prepared };
    const told = direction === 'output' ? findJsonCopy(value) : undefined;
    if (told === undefined) return refuse(value);
    return check(told) ? { valid: true, value: told } : refuse(told);
  };
}

/** Errors hold the value they are about: they are taken out of the validator, which lives on. */
function takeIssues(validate: ValidateFunction): ValidationIssue[] {
  const errors = validate.errors ?? [];
  validate.errors = null;
  return buildAjvIssues(errors);
}

function compile(schema: JsonSchema, needs: AjvNeeds, direction: SchemaDirection): ValidateFunction {
  const ajv = getAjv(needs);
  const validate = compileWith(() => ajv.compile(schema), direction);
  ajv.removeSchema(schema);
  if ('$async' in validate) throw SchemaError.asynchronous(direction);
  return validate;
}

function compileWith(compileNow: () => ValidateFunction, direction: SchemaDirection): ValidateFunction {
  try {
    return compileNow();
  } catch (cause) {
    throw SchemaError.invalid(direction, cause);
  }
}
