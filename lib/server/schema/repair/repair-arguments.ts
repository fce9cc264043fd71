import { countValues, type StructureBounds } from '../../../core/protocol/count-values.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import type { JsonSchema } from '../compiled-schema.interface.js';
import { SchemaReader } from './schema-reader.js';

/** Arguments that were changed to fit a schema, and where. */
export interface RepairedArguments {
  readonly value: object;
  /** The members that were changed, such as `filter.tags`. */
  readonly paths: readonly string[];
}

/** Members whose paths are listed. */
const MOST_PATHS = 20;

/**
 * Repairs arguments as models send them, where a schema leaves no doubt. JSON in a string becomes the value that the schema
 * wants there instead of a string, and null for an optional member becomes its absence. What a schema accepts is left alone,
 * and so is what it refuses for another reason: the result must be validated.
 *
 * @param bounds how much structure the values in strings may have together
 * @returns nothing if there is nothing to repair
 */
export function repairArguments(
  schema: JsonSchema,
  given: object,
  bounds: StructureBounds,
): RepairedArguments | undefined {
  const repair = new Repair(new SchemaReader(schema), bounds);
  const value = repair.run(given, [schema]) as object;
  return repair.paths.length === 0 ? undefined : { value, paths: repair.paths };
}

class Repair {
  readonly paths: string[] = [];
  #values = 0;

  constructor(
    private readonly reader: SchemaReader,
    private readonly bounds: StructureBounds,
  ) {}

  /** @param schemas what the value may be, each by itself */
  run(value: unknown, schemas: readonly unknown[], path: readonly string[] = []): unknown {
    // Nothing is said of values that no schema describes.
    if (path.length >= this.bounds.depth || schemas.length === 0) return value;
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

  /** Returns nothing for what is no JSON, and for a string in a string. */
  #parse(text: string, depth: number): unknown {
    // Python's spelling is common too.
    const json = /^(?:True|False)$/.test(text) ? text.toLowerCase() : text;
    const read = this.#isBounded(json, depth) ? parseJson(json) : undefined;
    if (typeof read === 'number') return isExact(read) ? read : undefined;
    return typeof read === 'string' ? undefined : read;
  }

  /** A string counts as one value in a body, whatever is in it. */
  #isBounded(json: string, depth: number): boolean {
    if (!/^\s*[[{]/.test(json)) return true;
    try {
      const left = { values: this.bounds.values - this.#values, depth: this.bounds.depth - depth };
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
    // A member called "__proto__" stays one.
    return isChanged ? Object.fromEntries(members) : object;
  }

  #note(path: readonly string[]): void {
    if (this.paths.length < MOST_PATHS) this.paths.push(path.join('.'));
  }
}

/** A number of too many digits would become another one. */
function isExact(read: number): boolean {
  return Number.isFinite(read) && (!Number.isInteger(read) || Number.isSafeInteger(read));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
