import {
  decodeFragment,
  findByPointer,
  formatPointerName,
  parsePointer,
} from '../../../core/protocol/json-schema.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import type { JsonSchema } from '../compiled-schema.interface.js';
import { findSubschemas, listInner, mapInner } from '../json-schema/find-subschemas.js';
import { deepFreeze } from '../json.js';

/**
 * The maximum length of a listed schema, because definitions that refer to each other twice double with each step.
 */
const MOST_CHARACTERS = 64 * 1024;
const DEEPEST = 64;

/** Keywords that other schemas may refer to. A schema with one of them is not rewritten. */
const IDENTITIES = ['$id', '$anchor', '$dynamicAnchor', '$dynamicRef'];

/**
 * Inlines each `$ref` of a schema, because many hosts do not resolve them. A recursive definition stays a `$ref` into
 * `$defs`. Unused definitions are removed, unless the schema names its dialect. A schema with identifiers (`$id`,
 * `$anchor`) stays unchanged. A schema that would exceed 64 Ki characters or 64 levels keeps its references.
 */
export function inlineReferences(schema: JsonSchema): JsonSchema {
  const subschemas = [...findSubschemas(schema)].map(({ keywords }) => keywords);
  const isReferring = subschemas.some((keywords) => readReference(keywords) !== undefined);
  if (!isReferring || subschemas.some(hasIdentity)) return schema;
  const inlined = new ReferenceInliner(schema, findRecursion(schema)).build() ?? keepReferences(schema);
  return deepFreeze(inlined);
}

/** A root that is a reference would show no properties. */
function keepReferences(schema: JsonSchema): JsonSchema {
  if (readReference(schema) === undefined) return schema;
  return new ReferenceInliner(schema, findReferences(schema)).build() ?? schema;
}

function hasIdentity(keywords: JsonSchema): boolean {
  return IDENTITIES.some((name) => name in keywords);
}

/** An inlined schema. */
interface Inlined {
  readonly schema: unknown;
  /** Its length as JSON in characters; infinite if it is too deep. */
  readonly length: number;
}

class ReferenceInliner {
  readonly #root: JsonSchema;
  readonly #retained: ReadonlySet<string>;
  readonly #isDraft7: boolean;
  /** Inlined targets, shared between references: inlining each again would need exponential time. */
  readonly #inlined = new Map<string, Inlined>();
  /** The names of the targets that remain definitions. */
  readonly #names = new Map<string, string>();

  /** @param retained the pointers that remain references */
  constructor(root: JsonSchema, retained: ReadonlySet<string>) {
    this.#root = root;
    this.#retained = retained;
    this.#isDraft7 = String(root['$schema']).includes('draft-07');
  }

  /** Returns `undefined` if the schema would be too large. */
  build(): JsonSchema | undefined {
    const root = this.#inline(this.#root, 0, true);
    const definitions: Record<string, unknown> = {};
    let { length } = root;
    // A definition may add others, which the iteration includes.
    for (const [pointer, name] of this.#names) {
      const inlined = this.#inline(findByPointer(this.#root, pointer), 0);
      definitions[name] = inlined.schema;
      length += inlined.length;
    }
    return length > MOST_CHARACTERS ? undefined : this.#define(root.schema as JsonSchema, definitions);
  }

  /** A schema that names its dialect is also meant for other readers, which may look for definitions. */
  #define(schema: JsonSchema, definitions: JsonSchema): JsonSchema {
    const { $schema, $defs, definitions: olderDefs } = this.#root;
    const [older, newer] = this.#isDraft7 ? [definitions, {}] : [{}, definitions];
    const isNamed = $schema !== undefined;
    const groups = {
      $defs: { ...(isNamed && isObject($defs) ? $defs : {}), ...newer },
      definitions: { ...(isNamed && isObject(olderDefs) ? olderDefs : {}), ...older },
    };
    const filled = Object.entries(groups).filter(([, group]) => Object.keys(group).length > 0);
    return { ...schema, ...Object.fromEntries(filled) };
  }

  #inline(node: unknown, depth: number, isRoot = false): Inlined {
    if (!isObject(node)) return { schema: node, length: String(node).length };
    if (depth > DEEPEST) return { schema: node, length: Infinity };
    const pointer = readReference(node);
    const target = pointer === undefined ? undefined : findByPointer(this.#root, pointer);
    const around = this.#inlineInner(node, depth);
    if (pointer === undefined || target === undefined) return around;
    const { $ref: _, ...siblings } = around.schema as JsonSchema;
    const isKept = pointer === '' || (this.#retained.has(pointer) && !isRoot);
    if (isKept) return { schema: { ...siblings, $ref: this.#keep(pointer) }, length: around.length };
    const inlined = isRoot ? this.#inline(target, depth + 1, true) : this.#inlineTarget(pointer, depth + 1);
    return {
      schema: mergeReferenced(inlined.schema, siblings, this.#isDraft7),
      length: around.length + inlined.length,
    };
  }

  #inlineTarget(pointer: string, depth: number): Inlined {
    const known = this.#inlined.get(pointer);
    if (known !== undefined) return known;
    const inlined = this.#inline(findByPointer(this.#root, pointer), depth);
    this.#inlined.set(pointer, inlined);
    return inlined;
  }

  /** Removes definitions, which do not validate anything by themselves. */
  #inlineInner(schema: JsonSchema, depth: number): Inlined {
    const { $defs: _, definitions: __, ...node } = schema;
    let { length } = JSON.stringify(mapInner(node, () => 0));
    const copy = mapInner(node, (inner) => {
      const inlined = this.#inline(inner, depth + 1);
      length += inlined.length;
      return inlined.schema;
    });
    return { schema: copy, length };
  }

  #keep(pointer: string): string {
    if (pointer === '') return '#';
    const name = this.#names.get(pointer) ?? this.#chooseName(pointer);
    this.#names.set(pointer, name);
    return `#/${this.#isDraft7 ? 'definitions' : '$defs'}/${encodeURIComponent(formatPointerName(name))}`;
  }

  #chooseName(pointer: string): string {
    const path = parsePointer(pointer);
    const own = path.at(-1) ?? '';
    const isDefinition = path.length === 2 && ['$defs', 'definitions'].includes(path[0] ?? '');
    const { $defs, definitions } = this.#root;
    const used = new Set([...this.#names.values(), ...(isDefinition ? [] : listNames($defs, definitions))]);
    let name = own;
    for (let suffix = 2; used.has(name); suffix += 1) name = `${own}${suffix}`;
    return name;
  }
}

function listNames(...groups: readonly unknown[]): readonly string[] {
  return groups.flatMap((group) => (isObject(group) ? Object.keys(group) : []));
}

type References = ReadonlyMap<string, readonly string[]>;

/**
 * Finds the recursive parts of a schema as JSON Pointers. References to the root stay references anyway, so they do not
 * count.
 */
function findRecursion(root: JsonSchema): ReadonlySet<string> {
  const references = listAll(root);
  return new Set([...findReferences(root)].filter((pointer) => reaches(references, pointer)));
}

/** Finds all referenced parts of a schema except the root. */
function findReferences(root: JsonSchema): ReadonlySet<string> {
  return new Set([...listAll(root).keys()].filter((pointer) => pointer !== ''));
}

/** Finds each referenced part's own references. */
function listAll(root: JsonSchema): References {
  const references = new Map<string, readonly string[]>([['', listReferences(root)]]);
  // The iteration includes parts that are added during the loop.
  for (const [, targets] of references) {
    for (const target of targets) {
      if (!references.has(target)) references.set(target, listReferences(findByPointer(root, target)));
    }
  }
  return references;
}

function listReferences(part: unknown): readonly string[] {
  const found = new Set<string>();
  const pending = [part];
  while (pending.length > 0) {
    const schema = pending.pop();
    if (!isObject(schema)) continue;
    const pointer = readReference(schema);
    if (pointer !== undefined) found.add(pointer);
    const { $defs: _, definitions: __, ...applied } = schema;
    pending.push(...listInner(applied));
  }
  return [...found];
}

function reaches(references: References, start: string): boolean {
  const visited = new Set<string>();
  const pending = [...(references.get(start) ?? [])];
  while (pending.length > 0) {
    const pointer = pending.pop() ?? '';
    if (pointer === start) return true;
    if (pointer === '' || visited.has(pointer)) continue;
    visited.add(pointer);
    pending.push(...(references.get(pointer) ?? []));
  }
  return false;
}

/** Returns the JSON Pointer of a reference within the same document, or `undefined` for any other reference. */
function readReference({ $ref }: JsonSchema): string | undefined {
  if (typeof $ref !== 'string' || !/^#(?:\/|$)/.test($ref)) return undefined;
  return decodeFragment($ref.slice(1));
}

/** Annotation keywords. Next to a `$ref`, they describe this use of the definition. */
const ANNOTATIONS = new Set([
  '$comment',
  'default',
  'deprecated',
  'description',
  'examples',
  'readOnly',
  'title',
  'writeOnly',
]);

/** Keywords that depend on their neighbors and must not be merged. */
const DEPENDENT = new Set([
  'additionalItems',
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'maxContains',
  'minContains',
  'patternProperties',
  'prefixItems',
  'properties',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);

/**
 * Merges the target of a `$ref` with the keywords next to it.
 *
 * @param isDraft7 whether keywords next to a `$ref` are ignored
 */
function mergeReferenced(target: unknown, siblings: JsonSchema, isDraft7: boolean): unknown {
  const shown = isDraft7 ? Object.entries(siblings).filter(([name]) => isAnnotation(name)) : undefined;
  const beside = shown === undefined ? siblings : Object.fromEntries(shown);
  const names = Object.keys(beside);
  if (names.length === 0) return target;
  if (isObject(target) && names.every((name) => isAnnotation(name) || joins(name, target))) {
    return { ...target, ...beside };
  }
  const others: readonly unknown[] = Array.isArray(beside['allOf']) ? beside['allOf'] : [];
  return { ...beside, allOf: [...others, target] };
}

/** Returns whether a keyword is an annotation. */
export function isAnnotation(name: string): boolean {
  return ANNOTATIONS.has(name) || name.startsWith('x-') || name.startsWith('~');
}

function joins(name: string, target: JsonSchema): boolean {
  return !(name in target) && !DEPENDENT.has(name);
}
