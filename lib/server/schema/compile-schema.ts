import { isObject } from '../../core/protocol/json-rpc.js';
import { LISTED_SCHEMA } from '../settings/mcp.constants.js';
import type {
  CompiledSchema,
  DtoClass,
  JsonSchema,
  SchemaDirection,
  SchemaSource,
  ValidationOutcome,
} from './compiled-schema.interface.js';
import { compileDtoClass } from './dto/compile-dto-class.js';
import { findForeignLibrary } from './foreign-schema.js';
import { formatExpected, formatUnknownName, MOST_ISSUES } from './validation-issues.js';
import { compileJsonSchema, compileListedSchema } from './json-schema/compile-json-schema.js';
import { findJsonCopy, hasStandardSchema } from './json.js';
import { buildListedSchema } from './listing/build-listed-schema.js';
import { SchemaError } from './schema.error.js';
import { compileStandardSchema } from './standard-schema/compile-standard-schema.js';
import { loadDtoLibraries } from './dto/dto-libraries.js';

/**
 * Converts a schema from any source into a validator and the JSON Schema that lists show.
 *
 * An input schema describes an object, and absent arguments are treated as an empty object. The developer must limit
 * a schema's cost: a `pattern` with unlimited backtracking, or `uniqueItems` without `maxItems`, lets a client block
 * the process.
 *
 * @throws {SchemaError} if the source cannot be used
 * @example
 * const schema = compileSchema(z.object({ title: z.string() }), 'input');
 * await schema.validate({ title: 'Printer on fire' }); // { valid: true, value: { title: 'Printer on fire' } }
 * @see MCP 2026-07-28 server/tools
 */
export function compileSchema(source: SchemaSource, direction: SchemaDirection): CompiledSchema {
  const { jsonSchema, original, validate } = compileSource(source, direction);
  return {
    jsonSchema: buildListedSchema(jsonSchema, direction),
    original,
    validate: (value) => {
      if (direction === 'output') return refuseEndlessNesting(() => validate(value));
      const given = value === undefined ? {} : value;
      return isObject(given) ? refuseEndlessNesting(() => validate(given)) : refuseNonObject(given);
    },
  };
}

function compileSource(source: unknown, direction: SchemaDirection): CompiledSchema {
  if (hasStandardSchema(source)) return retryAsJson(compileStandardSchema(source, direction), direction);
  const schema = findStaticSchema(source);
  if (schema !== undefined) return compileSource(schema, direction);
  const foreign = findForeignLibrary(source);
  if (foreign !== undefined) throw SchemaError.ofForeignLibrary(direction, foreign);
  if (typeof source === 'function') {
    return retryAsJson(compileDtoClass(source as DtoClass, direction), direction);
  }
  if (isObject(source) && LISTED_SCHEMA in source)
    return compileListedSchema(source[LISTED_SCHEMA] as JsonSchema, direction);
  if (isObject(source)) return compileJsonSchema(source, direction);
  throw SchemaError.notASchema(direction, source);
}

/** Finds the schema in a static property of a class, as in the DTO classes of nestjs-zod. */
export function findStaticSchema(source: unknown): object | undefined {
  if (typeof source !== 'function' || !('schema' in source)) return undefined;
  const { schema } = source;
  return hasStandardSchema(schema) ? schema : undefined;
}

/**
 * Revalidates an invalid result in the JSON form that clients receive, in which a date is a string and a record is
 * the result of its `toJSON()`.
 */
function retryAsJson(schema: CompiledSchema, direction: SchemaDirection): CompiledSchema {
  if (direction === 'input') return schema;

  function validateCopy(outcome: ValidationOutcome, value: unknown): ReturnType<CompiledSchema['validate']> {
    const copy = outcome.valid ? undefined : findJsonCopy(value);
    return copy === undefined ? outcome : schema.validate(copy);
  }

  return {
    jsonSchema: schema.jsonSchema,
    validate(value) {
      const outcome = schema.validate(value);
      return outcome instanceof Promise
        ? outcome.then((settled) => validateCopy(settled, value))
        : validateCopy(outcome, value);
    },
  };
}

/** Some libraries accept an array as an object. */
function refuseNonObject(value: unknown): ValidationOutcome {
  return { valid: false, issues: [{ path: '', message: formatExpected('object', value) }] };
}

const NESTS_TOO_DEEPLY: ValidationOutcome = {
  valid: false,
  issues: [{ path: '', message: 'is nested too deeply' }],
};

/** All libraries validate recursively, so a deeply nested value overflows the stack. The value is at fault. */
function refuseEndlessNesting(
  validate: () => ValidationOutcome | Promise<ValidationOutcome>,
): ValidationOutcome | Promise<ValidationOutcome> {
  try {
    const outcome = validate();
    return outcome instanceof Promise ? outcome.catch(answerEndlessNesting) : outcome;
  } catch (error) {
    return answerEndlessNesting(error);
  }
}

function answerEndlessNesting(error: unknown): ValidationOutcome {
  if (error instanceof RangeError && error.message.includes('call stack')) return NESTS_TOO_DEEPLY;
  throw error;
}

/** The schema of a tool without arguments, which accepts an empty object or nothing. */
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

/** The metadata that TypeScript emits for types that are not application classes. */
const NATIVE_TYPES = new Set<unknown>([
  Array,
  BigInt,
  Boolean,
  Date,
  Function,
  Map,
  Number,
  Object,
  Promise,
  Set,
  String,
  Symbol,
]);

/** The types of values that are not objects with properties. */
const PLAIN_TYPES = new Set<unknown>([Array, BigInt, Boolean, Date, Number, String]);

/** Returns whether a type in TypeScript's metadata is a scalar or an array. */
export function isPlainType(type: unknown): type is { readonly name: string } {
  return PLAIN_TYPES.has(type);
}

/** Returns whether a type from TypeScript's metadata is a class without a schema. */
export function isUndescribedClass(type: unknown): type is DtoClass {
  return typeof type === 'function' && !NATIVE_TYPES.has(type) && !isSchemaClass(type);
}

/**
 * Returns whether a type from TypeScript's metadata describes its values, either as a DTO class or through a schema.
 */
export function isSchemaClass(type: unknown): type is DtoClass {
  if (typeof type !== 'function' || NATIVE_TYPES.has(type)) return false;
  return hasStandardSchema(type) || findStaticSchema(type) !== undefined || hasValidators(type as DtoClass);
}

/** Returns whether a class has class-validator decorators. Always false if the package is not installed. */
export function hasValidators(source: DtoClass): boolean {
  try {
    const storage = loadDtoLibraries(source, 'input').validator.getMetadataStorage();
    return storage.getTargetValidationMetadatas(source, '', false, false).length > 0;
  } catch (error) {
    if (error instanceof SchemaError) return false;
    throw error;
  }
}
