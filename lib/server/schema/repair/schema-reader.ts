import { followReference } from '../../../core/protocol/json-pointer.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import type { JsonSchema } from '../compiled-schema.interface.js';

/** References and alternatives inside one another. */
const DEEPEST = 16;
const MOST_ALTERNATIVES = 256;

/** Reads from a schema what a value may be, without validating what is in the value. */
export class SchemaReader {
  readonly #patterns = new Map<string, RegExp | undefined>();

  constructor(private readonly root: JsonSchema) {}

  /** Tells whether one of some schemas accepts the type of a value, and the value itself where values are listed. */
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

  /** Lists the parts of some schemas that describe the members or items of a value. */
  listFitting(schemas: readonly unknown[], value: unknown): readonly JsonSchema[] {
    const found = new Set(schemas.map((schema) => followReference(this.root, schema)));
    const fitting: JsonSchema[] = [];
    // A set also iterates over what is added meanwhile.
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

  /** An alternative that names the value of a member is meant only by an object with this value. */
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

  /** Lists what some schemas say of a member. */
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

  /** Lists what some schemas say of an item. */
  listItems(schemas: readonly JsonSchema[], at: number): readonly unknown[] {
    return schemas.flatMap(({ prefixItems, items, additionalItems }) => {
      const [tuple, rest] = Array.isArray(items) ? [items, additionalItems] : [prefixItems, items];
      const described: unknown = Array.isArray(tuple) && at < tuple.length ? tuple[at] : rest;
      return described === undefined ? [] : [described];
    });
  }

  /** Tells whether an object has a place for a member, and need not have it. */
  isOptional(schemas: readonly JsonSchema[], name: string): boolean {
    const isNamed = schemas.some(({ properties }) => isObject(properties) && Object.hasOwn(properties, name));
    return isNamed && !schemas.some(({ required }) => Array.isArray(required) && required.includes(name));
  }

  #getPattern(source: string): RegExp | undefined {
    if (!this.#patterns.has(source)) this.#patterns.set(source, createPattern(source));
    return this.#patterns.get(source);
  }
}

/** A listed schema says in this way that there is no such member. */
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

/** A listed value that has members of its own is for the validator. */
function isListed({ const: only, enum: values }: JsonSchema, value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return true;
  if (only !== undefined && only !== value) return false;
  return !Array.isArray(values) || values.includes(value);
}

/** ajv reads patterns in the same way. */
function createPattern(source: string): RegExp | undefined {
  try {
    return new RegExp(source, 'u');
  } catch {
    return undefined;
  }
}
