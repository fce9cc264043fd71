import { findByReference } from '../../../core/protocol/json-schema.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import { isPromiseLike } from '../../../core/async/promises.js';
import type { StandardOutcome, StandardSchema } from '../../settings/schema-source.interface.js';
import type {
  CompiledSchema,
  JsonSchema,
  SchemaDirection,
  ValidationOutcome,
} from '../compiled-schema.interface.js';
import { buildDateReader, type ReadDates } from '../date-reader.js';
import { freezeSchema } from '../json.js';
import { inlineReferences } from '../listing/inline-references.js';
import { dropAbsent, findUnrepresentable, stripMarks } from '../listing/shown-marks.js';
import { SchemaError } from '../schema.error.js';
import { buildStandardIssues } from './standard-issues.js';
import { findLibraryOptions, selectFix } from './library-options.js';

const MOST_STEPS = 16;

/**
 * Adds the `type: "object"` that every revision requires at an input schema's root. It does not change the meaning of
 * a union of objects, which libraries write as just `anyOf` or `oneOf`.
 *
 * @throws {SchemaError} if the schema accepts anything except objects
 * @see MCP 2026-07-28 server/tools
 */
function buildObjectRoot(schema: JsonSchema): JsonSchema {
  if (schema['type'] === 'object') return schema;
  if (!takesObjectsAlone(schema, schema)) throw SchemaError.notAnObject('input', schema['type']);
  return Object.freeze({ type: 'object', ...schema });
}

function takesObjectsAlone(schema: unknown, root: JsonSchema, steps = 0): boolean {
  if (!isObject(schema) || steps > MOST_STEPS) return false;
  const { type, anyOf, oneOf, allOf, $ref } = schema;
  if (type !== undefined) return type === 'object';
  const accepts = (inner: unknown) => takesObjectsAlone(inner, root, steps + 1);
  const alternatives = anyOf ?? oneOf;
  if (Array.isArray(alternatives) && alternatives.length > 0) return alternatives.every(accepts);
  if (Array.isArray(allOf)) return allOf.some(accepts);
  return $ref !== undefined && accepts(findByReference(root, $ref));
}

type StandardProperties = StandardSchema['~standard'];

interface StandardSource {
  readonly '~standard': unknown;
}

const FIXES = new Map([
  ['valibot', 'pass toStandardJsonSchema(schema) from "@valibot/to-json-schema"'],
  ['zod', 'use zod 4.2 or later'],
  ['arktype', 'use arktype 2.1.28 or later'],
]);
const ANY_VENDOR = 'use a version of the library that provides it, or pass a JSON Schema object';

/** Handlers often share a schema, and libraries are slow to convert schemas to JSON Schema. */
const compiled = {
  input: new WeakMap<object, CompiledSchema>(),
  output: new WeakMap<object, CompiledSchema>(),
};

/**
 * Compiles a schema that follows Standard Schema and its JSON Schema side, once per object. Methods that change a
 * schema create another object in such libraries. The library's conversions determine the resulting value.
 *
 * @throws {SchemaError} if the JSON Schema side is missing, or an input schema's root is not an object
 */
export function compileStandardSchema(source: StandardSource, direction: SchemaDirection): CompiledSchema {
  const known = compiled[direction].get(source);
  if (known !== undefined) return known;
  const schema = compile(source, direction);
  compiled[direction].set(source, schema);
  return schema;
}

function compile(source: StandardSource, direction: SchemaDirection): CompiledSchema {
  const standard = parseStandard(source['~standard'], direction);
  const marked = buildMarkedSchema(standard, direction);
  const shown = stripMarks(marked);
  const jsonSchema = direction === 'input' ? buildObjectRoot(shown) : shown;
  const validate = selectValidate(source, standard);
  const readDates = direction === 'input' ? buildDateReader(marked) : createResultReader(standard);
  return {
    jsonSchema,
    validate(given) {
      const value = readDates === undefined ? given : readDates(given);
      const result = validate(value);
      return isPromiseLike(result)
        ? Promise.resolve(result).then((settled) => buildOutcome(settled, value, jsonSchema))
        : buildOutcome(result, value, jsonSchema);
    },
  };
}

/** Some libraries return issues as an array with a property "issues". */
function isReference(result: unknown): result is object {
  return typeof result === 'object' && result !== null;
}

function parseStandard(standard: unknown, direction: SchemaDirection): StandardProperties {
  const found = isObject(standard) ? standard : {};
  const vendor = typeof found['vendor'] === 'string' ? found['vendor'] : 'unknown';
  if (found['version'] !== 1 || typeof found['validate'] !== 'function') {
    throw SchemaError.noValidation(direction, vendor);
  }
  const converter = found['jsonSchema'];
  if (!isObject(converter) || typeof converter[direction] !== 'function') {
    throw SchemaError.noJsonSchemaSide(direction, vendor, FIXES.get(vendor) ?? ANY_VENDOR);
  }
  return standard as StandardProperties;
}

/**
 * A library's JSON Schema, with marks where it is incomplete. The dialect is omitted, because it is the protocol's.
 */
function buildMarkedSchema(standard: StandardProperties, direction: SchemaDirection): JsonSchema {
  const { $schema: _, ...converted } = convert(standard, direction);
  const present = dropAbsent(freezeSchema(serializeDates(converted) as object, direction)) as JsonSchema;
  const inlined = inlineReferences(present);
  const found = findUnrepresentable(inlined);
  if (found === undefined) return inlined;
  const { vendor } = standard;
  throw SchemaError.notShown(direction, vendor, { ...found, fix: selectFix(vendor, direction) });
}

/**
 * The input side of an output schema is converted on first use, because conversion is slow and needed only for
 * results.
 */
function createResultReader(standard: StandardProperties): ReadDates | undefined {
  // Only these libraries mark dates.
  if (findLibraryOptions(standard.vendor) === undefined) return undefined;
  let read: ReadDates | undefined;
  return (value) => {
    read ??= findResultDates(standard) ?? ((result) => result);
    return read(value);
  };
}

function findResultDates(standard: StandardProperties): ReadDates | undefined {
  try {
    return buildDateReader(buildMarkedSchema(standard, 'input'));
  } catch (error) {
    // The input side may accept anything: only the output must be representable.
    if (error instanceof SchemaError) return undefined;
    throw error;
  }
}

function convert({ jsonSchema, vendor }: StandardProperties, direction: SchemaDirection): JsonSchema {
  const libraryOptions = findLibraryOptions(vendor);
  try {
    return jsonSchema[direction]({ target: 'draft-2020-12', ...(libraryOptions && { libraryOptions }) });
  } catch (cause) {
    throw SchemaError.notRepresentable(direction, vendor, cause);
  }
}

function buildOutcome(result: unknown, value: unknown, jsonSchema: JsonSchema): ValidationOutcome {
  assertOutcome(result);
  if (result.issues === undefined) return { valid: true, value: result.value };
  return { valid: false, issues: buildStandardIssues(result.issues, value, jsonSchema) };
}

/** A validator that returns neither is broken, and values must not pass unvalidated. */
function assertOutcome(result: unknown): asserts result is StandardOutcome<unknown> {
  if (isReference(result)) {
    const issues = 'issues' in result ? result.issues : undefined;
    if (Array.isArray(issues) || (issues === undefined && 'value' in result)) return;
  }
  throw new TypeError('"~standard.validate" must return an object with a "value" or an array of "issues"');
}

/** The parts of a zod 4 schema that are used here: https://zod.dev/library-authors. */
interface ZodSchema {
  readonly safeParseAsync: (value: unknown) => Promise<ZodOutcome>;
}

type ZodOutcome =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: Extract<StandardOutcome<unknown>, { issues: object }> };

/**
 * Selects the validation function: `~standard.validate`, except for zod schemas that may be asynchronous. Zod first
 * tries those synchronously and starts over when it finds a promise. Asynchronous checks would run twice, and an
 * unhandled rejection from the first run would crash the process.
 */
function selectValidate(source: object, standard: StandardProperties): StandardProperties['validate'] {
  if (standard.vendor === 'zod' && isZodSchema(source) && mayWait(source)) {
    return async (value) => {
      const parsed = await source.safeParseAsync(value);
      return parsed.success ? { value: parsed.data } : { issues: parsed.error.issues };
    };
  }
  return (value) => standard.validate(value);
}

function isZodSchema(source: object): source is ZodSchema {
  return 'safeParseAsync' in source && typeof source.safeParseAsync === 'function';
}

/** Types that run developer functions, or that may run some, which is known only when the first value is parsed. */
const MAY_WAIT = new Set<unknown>(['custom', 'lazy', 'promise', 'transform']);

/**
 * Whether a function returns a promise becomes known only when it is called, and it may not be called for every
 * value.
 */
function mayWait(source: object): boolean {
  const found = new Set<unknown>([source]);
  for (const part of found) {
    const definition = findDefinition(part);
    if (definition === undefined) continue;
    const { type, check, transform } = definition;
    if (MAY_WAIT.has(type) || MAY_WAIT.has(check) || typeof transform === 'function') return true;
    for (const inner of listInner(definition)) found.add(inner);
  }
  return false;
}

function findDefinition(part: unknown): Readonly<Record<string, unknown>> | undefined {
  const core = hasMembers(part) ? part['_zod'] : undefined;
  return hasMembers(core) && isObject(core['def']) ? core['def'] : undefined;
}

/** A definition contains schemas directly, in lists (union members, checks) and by name (object properties). */
function* listInner(definition: Readonly<Record<string, unknown>>): Generator<unknown> {
  for (const name of Object.keys(definition)) {
    // Reading a default would call the function that creates it.
    if (name === 'defaultValue') continue;
    const member = definition[name];
    if (Array.isArray(member)) yield* member;
    else if (name === 'shape' && isObject(member)) yield* Object.values(member);
    else yield member;
  }
}

function hasMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return (typeof value === 'object' || typeof value === 'function') && value !== null;
}

/** Copies a library's JSON Schema with its dates serialized, because some libraries leave a `Date` as the default. */
function serializeDates(value: unknown): unknown {
  if (value instanceof Date) return value.toJSON();
  if (Array.isArray(value)) return value.map(serializeDates);
  if (!isObject(value) || 'toJSON' in value) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, serializeDates(member)]));
}
