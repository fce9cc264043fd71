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
import { formatExpected } from './issue-texts.js';
import { compileJsonSchema } from './json-schema/compile-json-schema.js';
import { findJsonCopy } from './json-schema/find-json-copy.js';
import { hasStandardSide } from './json.js';
import { buildListedSchema } from './listing/build-listed-schema.js';
import { SchemaError } from './schema.error.js';
import { compileStandardSchema } from './standard-schema/compile-standard-schema.js';

/**
 * Turns a schema of any source into a validator and the JSON Schema that lists show.
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
