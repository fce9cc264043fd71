import { countValues, type StructureLimits } from '../../core/protocol/measured-json.js';
import { findJson, isObject } from '../../core/protocol/json-rpc.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import type { JsonSchema } from './compiled-schema.interface.js';
import { followReference } from '../../core/protocol/json-schema.js';

/** Arguments that were changed to match a schema, and the properties that changed. */
export interface CoercedArguments {
  readonly value: object;
  /** The changed properties, such as `filter.tags`. */
  readonly paths: readonly string[];
}

/** The maximum number of properties whose paths are listed. */
const MOST_PATHS = 20;

/**
 * Repairs common mistakes by models where the schema is unambiguous. JSON in a string becomes the value that the
 * schema expects instead of a string, and `null` for an optional property is removed. Valid values are left
 * unchanged, and so are values that are invalid for another reason, so the result must be validated.
 *
 * @param limits how many nested values the strings may contain in total
 * @returns `undefined` if there is nothing to repair
 */
export function coerceArguments(
  schema: JsonSchema,
  given: object,
  limits: StructureLimits,
): CoercedArguments | undefined {
  const repair = new Coercion(new SchemaReader(schema), limits);
  const value = repair.run(given, [schema]) as object;
  return repair.paths.length === 0 ? undefined : { value, paths: repair.paths };
}

class Coercion {
  readonly paths: string[] = [];
  #values = 0;

  constructor(
    private readonly reader: SchemaReader,
    private readonly limits: StructureLimits,
  ) {}

  /** @param schemas the alternative schemas for the value */
  run(value: unknown, schemas: readonly unknown[], path: readonly string[] = []): unknown {
    // Values without a schema stay unchanged.
    if (path.length >= this.limits.depth || schemas.length === 0) return value;
    if (typeof value === 'string') return this.#readText(value, schemas, path);
    if (Array.isArray(value)) return this.#repairItems(value, schemas, path);
    return isObject(value) ? this.#repairMembers(value, schemas, path) : value;
  }

  #readText(text: string, schemas: readonly unknown[], path: readonly string[]): unknown {
    if (this.reader.accepts(schemas, text)) return text;
    const read = this.#parse(text, path.length);
    if (read === undefined || !this.reader.accepts(schemas, read)) return text;
    this.#note(path);
    return this.run(read, schemas, path);
  }

  /** Returns `undefined` for a string that is not JSON, and for a string within a string. */
  #parse(text: string, depth: number): unknown {
    // Python's spelling is common too.
    const json = /^(?:True|False)$/.test(text) ? text.toLowerCase() : text;
    const read = this.#isBounded(json, depth) ? findJson(json) : undefined;
    if (typeof read === 'number') return isExact(read) ? read : undefined;
    return typeof read === 'string' ? undefined : read;
  }

  /** The body's limit counted the string as one value, so its content is counted here. */
  #isBounded(json: string, depth: number): boolean {
    if (!/^\s*[[{]/.test(json)) return true;
    try {
      const left = { values: this.limits.values - this.#values, depth: this.limits.depth - depth };
      this.#values += countValues(Buffer.from(json), left);
      return true;
    } catch (error) {
      if (error instanceof McpError) return false;
      throw error;
    }
  }

  #repairItems(items: readonly unknown[], schemas: readonly unknown[], path: readonly string[]): unknown {
    const described = this.reader.listFitting(schemas, items);
    const repaired = items.map((item, at) =>
      this.run(item, this.reader.listItems(described, at), [...path, String(at)]),
    );
    return repaired.some((item, at) => item !== items[at]) ? repaired : items;
  }

  #repairMembers(
    object: Readonly<Record<string, unknown>>,
    schemas: readonly unknown[],
    path: readonly string[],
  ): unknown {
    const described = this.reader.listFitting(schemas, object);
    let isChanged = false;
    const members = Object.entries(object).flatMap(([name, member]) => {
      const inner = [...path, name];
      const known = this.reader.listMembers(described, name);
      const isAbsence = member === null && this.reader.isOptional(described, name);
      if (isAbsence && !this.reader.accepts(known, null)) {
        isChanged = true;
        this.#note(inner);
        return [];
      }
      const repaired = this.run(member, known, inner);
      isChanged ||= repaired !== member;
      return [[name, repaired] as const];
    });
    // Preserves a property named `__proto__`.
    return isChanged ? Object.fromEntries(members) : object;
  }

  #note(path: readonly string[]): void {
    if (this.paths.length < MOST_PATHS) this.paths.push(path.join('.'));
  }
}

/** A number with too many digits would lose precision. */
function isExact(read: number): boolean {
  return Number.isFinite(read) && (!Number.isInteger(read) || Number.isSafeInteger(read));
}

/** The nesting depth of references and alternatives. */
const DEEPEST = 16;
const MOST_ALTERNATIVES = 256;

/** Reads from a schema which values are possible, without validating their contents. */
export class SchemaReader {
  readonly #patterns = new Map<string, RegExp | undefined>();

  constructor(private readonly root: JsonSchema) {}

  /** Returns whether one of the schemas accepts a value's type and, if it lists values, the value itself. */
  accepts(schemas: readonly unknown[], value: unknown): boolean {
    return schemas.some((schema) => this.#accepts(schema, value, 0));
  }

  #accepts(given: unknown, value: unknown, depth: number): boolean {
    const schema = followReference(this.root, given);
    if (!isObject(schema) || depth > DEEPEST) return true;
    if (isImpossible(schema) || !hasTypeOf(schema, value) || !isListed(schema, value)) return false;
    const inner = (one: unknown) => this.#accepts(one, value, depth + 1);
    const { allOf, anyOf, oneOf } = schema;
    if (Array.isArray(allOf) && !allOf.every(inner)) return false;
    return [anyOf, oneOf].every((union) => !Array.isArray(union) || union.some(inner));
  }

  /** Lists the parts of schemas that describe a value's properties or items. */
  listFitting(schemas: readonly unknown[], value: unknown): readonly JsonSchema[] {
    const found = new Set(schemas.map((schema) => followReference(this.root, schema)));
    const fitting: JsonSchema[] = [];
    // The iteration includes schemas that are added during the loop.
    for (const schema of found) {
      if (!isObject(schema) || found.size > MOST_ALTERNATIVES || !this.#mayDescribe(schema, value)) continue;
      fitting.push(schema);
      for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
        const parts = schema[keyword];
        if (!Array.isArray(parts)) continue;
        for (const part of parts) found.add(followReference(this.root, part));
      }
    }
    return fitting;
  }

  /** An alternative with a fixed value for a property applies only to objects with this value. */
  #mayDescribe(schema: JsonSchema, value: unknown): boolean {
    if (!this.#accepts(schema, value, 0)) return false;
    const { properties } = schema;
    if (!isObject(properties) || !isObject(value)) return true;
    return Object.entries(properties).every(([name, described]) => {
      const member = Object.hasOwn(value, name) ? value[name] : undefined;
      if (typeof member !== 'string') return true;
      const known = followReference(this.root, described);
      return !isObject(known) || typeof known['const'] !== 'string' || isListed(known, member);
    });
  }

  /** Lists a property's schemas. */
  listMembers(schemas: readonly JsonSchema[], name: string): readonly unknown[] {
    return schemas.flatMap(({ properties, patternProperties, additionalProperties }) => {
      const named = isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
      const patterns = isObject(patternProperties) ? Object.entries(patternProperties) : [];
      const matching = patterns.filter(([pattern]) => this.#getPattern(pattern)?.test(name));
      const found = [...named, ...matching.map(([, inner]) => inner)];
      if (found.length > 0) return found;
      return isObject(additionalProperties) ? [additionalProperties] : [];
    });
  }

  /** Lists an item's schemas. */
  listItems(schemas: readonly JsonSchema[], at: number): readonly unknown[] {
    return schemas.flatMap(({ prefixItems, items, additionalItems }) => {
      const [tuple, rest] = Array.isArray(items) ? [items, additionalItems] : [prefixItems, items];
      const described: unknown = Array.isArray(tuple) && at < tuple.length ? tuple[at] : rest;
      return described === undefined ? [] : [described];
    });
  }

  /** Returns whether the schemas define a property without requiring it. */
  isOptional(schemas: readonly JsonSchema[], name: string): boolean {
    const isNamed = schemas.some(({ properties }) => isObject(properties) && Object.hasOwn(properties, name));
    return isNamed && !schemas.some(({ required }) => Array.isArray(required) && required.includes(name));
  }

  #getPattern(source: string): RegExp | undefined {
    if (!this.#patterns.has(source)) this.#patterns.set(source, createPattern(source));
    return this.#patterns.get(source);
  }
}

/** A listed schema forbids a property with `not: {}`. */
function isImpossible({ not }: JsonSchema): boolean {
  return isObject(not) && Object.keys(not).length === 0;
}

function hasTypeOf({ type }: JsonSchema, value: unknown): boolean {
  if (type === undefined) return true;
  const types: readonly unknown[] = [type].flat();
  return types.some((one) => one === nameType(value) || (one === 'integer' && Number.isInteger(value)));
}

function nameType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Objects and arrays listed as values are left to the validator. */
function isListed({ const: only, enum: values }: JsonSchema, value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return true;
  if (only !== undefined && only !== value) return false;
  return !Array.isArray(values) || values.includes(value);
}

/** ajv interprets patterns in the same way. */
function createPattern(source: string): RegExp | undefined {
  try {
    return new RegExp(source, 'u');
  } catch {
    return undefined;
  }
}
