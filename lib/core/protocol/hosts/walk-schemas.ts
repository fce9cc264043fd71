import { isObject } from '../json-rpc.js';

/** A schema inside a schema, and the way there from the root. */
export interface InnerSchema {
  readonly keywords: Readonly<Record<string, unknown>>;
  readonly path: readonly string[];
}

/** Keywords whose value is a map of names to schemas: a name there is no keyword. */
export const SCHEMA_MAPS: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);

/** Keywords whose value is no schema, even if it looks like one. */
const VALUES = new Set(['const', 'default', 'enum', 'examples', 'required', 'dependentRequired']);

/** Deeper or larger schemas of other servers are not read to their end. */
const DEEPEST = 64;
const MOST_SCHEMAS = 20_000;

/** Walks a schema and every schema inside it, in the order of the text. */
export function* walkSchemas(root: unknown): Generator<InnerSchema> {
  const pending: { readonly value: unknown; readonly path: readonly string[] }[] = [
    { value: root, path: [] },
  ];
  for (let count = 0; pending.length > 0 && count < MOST_SCHEMAS; count += 1) {
    const { value, path } = pending.pop() as (typeof pending)[number];
    if (path.length > DEEPEST) continue;
    if (isObject(value)) yield { keywords: value, path };
    // One by one: a function takes fewer arguments than a schema may have members.
    for (const inner of [...listInner(value, path)].toReversed()) pending.push(inner);
  }
}

function* listInner(value: unknown, path: readonly string[]) {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      yield { value: item as unknown, path: [...path, String(index)] };
  }
  if (!isObject(value)) return;
  for (const [keyword, inner] of Object.entries(value)) {
    if (VALUES.has(keyword) || typeof inner !== 'object') continue;
    if (!SCHEMA_MAPS.has(keyword)) yield { value: inner, path: [...path, keyword] };
    else
      for (const [name, schema] of Object.entries(Object(inner) as object))
        yield { value: schema as unknown, path: [...path, keyword, name] };
  }
}
