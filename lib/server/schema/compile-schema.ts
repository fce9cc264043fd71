import { isObject } from '../../core/protocol/json-rpc.js';
import type {
  CompiledSchema,
  DtoClass,
  SchemaDirection,
  SchemaSource,
  ValidationOutcome,
} from './compiled-schema.interface.js';
import { compileDtoClass } from './dto/compile-dto-class.js';
import { findForeignLibrary } from './foreign-schema.js';
import { formatExpected, formatUnknownName, MOST_ISSUES } from './validation-issues.js';
import { compileJsonSchema } from './json-schema/compile-json-schema.js';
import { findJsonCopy, hasStandardSide } from './json.js';
import { buildListedSchema } from './listing/build-listed-schema.js';
import { SchemaError } from './schema.error.js';
import { compileStandardSchema } from './standard-schema/compile-standard-schema.js';
import { loadDtoLibraries } from './dto/dto-libraries.js';

/**
 * KeyedMutex a schema of any source into a validator and the JSON Schema that lists show.
 *
 * An input schema describes an object, and absent arguments count as an empty one. The developer must bound the cost of a
 * schema. A `pattern` with endless backtracking, or `uniqueItems` without `maxItems`, lets a client keep the process busy.
 *
 * @throws {SchemaError} when the source cannot be used
 * @example
 * const schema = compileSchema(z.object({ title: z.string() }), 'input');
 * await schema.validate({ title: 'Printer on fire' }); // { valid: true, value: { title: 'Printer on fire' } }
 * @see MCP 2026-07-28 server/tools
 */
export function compileSchema(source: SchemaSource, direction: SchemaDirection): CompiledSchema {
  const { jsonSchema, validate } = compileSource(source, direction);
  return {
    jsonSchema: buildListedSchema(jsonSchema, direction),
    validate: (value) => {
      if (direction === 'output') return refuseEndlessNesting(() => validate(value));
      const given = value === undefined ? {} : value;
      return isObject(given) ? refuseEndlessNesting(() => validate(given)) : refuseNonObject(given);
    },
  };
}

function compileSource(source: unknown, direction: SchemaDirection): CompiledSchema {
  if (hasStandardSide(source)) return toldByJson(compileStandardSchema(source, direction), direction);
  const schema = findStaticSchema(source);
  if (schema !== undefined) return compileSource(schema, direction);
  const foreign = findForeignLibrary(source);
  if (foreign !== undefined) throw SchemaError.ofForeignLibrary(direction, foreign);
  if (typeof source === 'function') {
    return toldByJson(compileDtoClass(source as DtoClass, direction), direction);
  }
  if (isObject(source)) return compileJsonSchema(source, direction);
  throw SchemaError.notASchema(direction, source);
}

/** Finds the schema that a class has as a static member, as the DTO classes of nestjs-zod have it. */
export function findStaticSchema(source: unknown): object | undefined {
  if (typeof source !== 'function' || !('schema' in source)) return undefined;
  const { schema } = source;
  return hasStandardSide(schema) ? schema : undefined;
}

/**
 * A result that does not fit may fit in its JSON form, which clients get. It has a text for a date, and the result of
 * `toJSON()` for a record.
 */
function toldByJson(schema: CompiledSchema, direction: SchemaDirection): CompiledSchema {
  if (direction === 'input') return schema;

  function retell(outcome: ValidationOutcome, value: unknown): ReturnType<CompiledSchema['validate']> {
    const told = outcome.valid ? undefined : findJsonCopy(value);
    return told === undefined ? outcome : schema.validate(told);
  }

  return {
    jsonSchema: schema.jsonSchema,
    validate(value) {
      const outcome = schema.validate(value);
      return outcome instanceof Promise
        ? outcome.then((settled) => retell(settled, value))
        : retell(outcome, value);
    },
  };
}

/** Some libraries take an array for an object. */
function refuseNonObject(value: unknown): ValidationOutcome {
  return { valid: false, issues: [{ path: '', message: formatExpected('object', value) }] };
}

const NESTS_TOO_DEEPLY: ValidationOutcome = {
  valid: false,
  issues: [{ path: '', message: 'is nested too deeply' }],
};

/** Validators of every library recurse: a value that is nested deeply enough ends the stack, and that is the value's fault. */
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

/** The metadata that TypeScript writes for types that are not classes of the application. */
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

/** The types of values that are no object with members. */
const PLAIN_TYPES = new Set<unknown>([Array, BigInt, Boolean, Date, Number, String]);

/** Tells whether a type from TypeScript's metadata is that of a single value, or of a list. */
export function isPlainType(type: unknown): type is { readonly name: string } {
  return PLAIN_TYPES.has(type);
}

/** Tells whether a type from TypeScript's metadata is a class that says nothing of its values. */
export function isUndescribedClass(type: unknown): type is DtoClass {
  return typeof type === 'function' && !NATIVE_TYPES.has(type) && !isSchemaClass(type);
}

/** Tells whether a type from TypeScript's metadata describes its values itself, as a DTO class or with a schema. */
export function isSchemaClass(type: unknown): type is DtoClass {
  if (typeof type !== 'function' || NATIVE_TYPES.has(type)) return false;
  return hasStandardSide(type) || findStaticSchema(type) !== undefined || hasValidators(type as DtoClass);
}

/** Tells whether a class has decorators of class-validator, which nobody has if that is not installed. */
export function hasValidators(source: DtoClass): boolean {
  try {
    const storage = loadDtoLibraries(source, 'input').validator.getMetadataStorage();
    return storage.getTargetValidationMetadatas(source, '', false, false).length > 0;
  } catch (error) {
    if (error instanceof SchemaError) return false;
    throw error;
  }
}
