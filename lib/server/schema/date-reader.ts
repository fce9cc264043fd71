import { isObject } from '../../core/protocol/json-rpc.js';
import type { JsonSchema } from './compiled-schema.interface.js';
import { followReference } from '../../core/protocol/json-schema.js';
import { findSubschemas } from './json-schema/find-subschemas.js';
import { isPlainObject } from './json.js';
import { MARK } from './listing/shown-marks.js';

/** Replaces ISO strings with a `Date` where the schema accepts only dates. */
export type ReadDates = (value: unknown) => unknown;

/**
 * Builds a function that replaces ISO strings with dates before validation, because JSON has no dates. Returns
 * `undefined` for a schema without dates. If the schema accepts both strings and dates, strings stay strings.
 *
 * @param root the schema to validate with, including its marks
 */
export function buildDateReader(root: JsonSchema): ReadDates | undefined {
  const dateSchemas = findDateSchemas(root);
  if (!dateSchemas.has(root)) return undefined;
  const reader = new DateReader(root, dateSchemas);
  return (value) => reader.read(value, [root]);
}

/** Finds the schemas that accept a date, or contain one. */
function findDateSchemas(root: JsonSchema): ReadonlySet<unknown> {
  const schemas = [...findSubschemas(root)].map(({ keywords }) => keywords);
  const dateSchemas = new Set<unknown>(schemas.filter((schema) => schema[MARK] === 'date'));
  let known = -1;
  while (dateSchemas.size > known) {
    known = dateSchemas.size;
    // Processed from the inside out, because the walk goes from the outside in; references need another pass.
    for (const schema of schemas.toReversed()) {
      if (listApplied(root, schema).some((inner) => dateSchemas.has(inner))) dateSchemas.add(schema);
    }
  }
  return dateSchemas;
}

function listApplied(root: JsonSchema, schema: JsonSchema): readonly unknown[] {
  const { $defs: _, $ref, ...applied } = schema;
  const inner = Object.values(applied).flatMap((value) => {
    if (Array.isArray(value)) return value as readonly unknown[];
    return isObject(value) ? [value, ...Object.values(value)] : [];
  });
  return $ref === undefined ? inner : [...inner, followReference(root, schema)];
}

class DateReader {
  readonly #patterns = new Map<string, RegExp>();

  constructor(
    private readonly root: JsonSchema,
    private readonly dateSchemas: ReadonlySet<unknown>,
  ) {}

  /** @param schemas the alternatives for the value */
  read(value: unknown, schemas: readonly unknown[]): unknown {
    if (!schemas.some((schema) => this.dateSchemas.has(schema))) return value;
    const fitting = this.#listFitting(schemas, value);
    if (typeof value === 'string') return readText(value, fitting);
    if (Array.isArray(value)) return this.#readItems(value, fitting);
    // A copy of an instance would no longer be an instance of its class.
    return isPlainObject(value) ? this.#readMembers(value, fitting) : value;
  }

  /** Lists each schema once, because nested alternatives that share parts would double with each level of a value. */
  #listFitting(schemas: readonly unknown[], value: unknown): readonly JsonSchema[] {
    const found = new Set(schemas.map((schema) => followReference(this.root, schema)));
    const fitting: JsonSchema[] = [];
    // The iteration includes schemas that are added during the loop.
    for (const schema of found) {
      if (!isObject(schema) || !this.#mayBe(schema, value)) continue;
      const { anyOf, oneOf, allOf } = schema;
      const inner = [anyOf, oneOf, allOf].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []));
      for (const one of inner) found.add(followReference(this.root, one));
      if (inner.length === 0 || 'properties' in schema || 'items' in schema) fitting.push(schema);
    }
    return fitting;
  }

  /** Properties with only one allowed value identify the alternative. */
  #mayBe({ properties }: JsonSchema, value: unknown): boolean {
    if (!isObject(properties) || !isObject(value)) return true;
    return Object.entries(properties).every(([name, described]) => {
      const member = followReference(this.root, described);
      const { const: only, enum: values } = isObject(member) ? member : {};
      if (only !== undefined) return value[name] === only;
      return !Array.isArray(values) || value[name] === undefined || values.includes(value[name]);
    });
  }

  #readItems(items: readonly unknown[], schemas: readonly JsonSchema[]): unknown {
    const read = items.map((item, at) =>
      this.read(
        item,
        schemas.map(({ prefixItems, items: rest }) =>
          Array.isArray(prefixItems) && at < prefixItems.length ? (prefixItems[at] as unknown) : rest,
        ),
      ),
    );
    return read.some((item, at) => item !== items[at]) ? read : items;
  }

  #readMembers(object: Readonly<Record<string, unknown>>, schemas: readonly JsonSchema[]): unknown {
    const changed = Object.entries(object).flatMap(([name, member]) => {
      const read = this.read(
        member,
        schemas.flatMap((schema) => this.#listMembers(schema, name)),
      );
      return read === member ? [] : [[name, read] as const];
    });
    return changed.length === 0 ? object : { ...object, ...Object.fromEntries(changed) };
  }

  #listMembers(schema: JsonSchema, name: string): readonly unknown[] {
    const { properties, patternProperties, additionalProperties } = schema;
    const named = isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
    const patterns = isObject(patternProperties) ? Object.entries(patternProperties) : [];
    const matching = patterns.filter(([pattern]) => this.#getPattern(pattern).test(name));
    const found = [...named, ...matching.map(([, inner]) => inner)];
    return found.length > 0 ? found : [additionalProperties];
  }

  #getPattern(source: string): RegExp {
    const pattern = this.#patterns.get(source) ?? new RegExp(source, 'u');
    this.#patterns.set(source, pattern);
    return pattern;
  }
}

function readText(text: string, schemas: readonly JsonSchema[]): unknown {
  const acceptsString = schemas.some((schema) => schema[MARK] !== 'date' && mayBeText(schema, text));
  return acceptsString || !isIsoText(text) ? text : new Date(text);
}

function mayBeText({ type, const: only, enum: values }: JsonSchema, text: string): boolean {
  if (only !== undefined) return only === text;
  if (Array.isArray(values)) return values.includes(text);
  return type === undefined || [type].flat().includes('string');
}

const ISO_TEXT =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:[Tt](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?)?$/;

/**
 * Returns whether a string is an existing ISO 8601 date, with or without a time.
 *
 * @see RFC 3339
 */
export function isIsoText(text: string): boolean {
  return ISO_TEXT.test(text) && !Number.isNaN(Date.parse(text)) && hasThatDay(text);
}

/** JavaScript parses February 30 as March 2. */
function hasThatDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  return new Date(Date.UTC(year, month, 0)).getUTCDate() >= day;
}
