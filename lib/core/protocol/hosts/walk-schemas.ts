import { isObject } from '../json-rpc.js';
import { SCHEMA_MAPS, VALUE_KEYWORDS } from '../schema-keywords.js';

/** A schema inside a schema, with the path to it. */
export interface InnerSchema {
  readonly keywords: Readonly<Record<string, unknown>>;
  /** Absent for the root. */
  readonly path: SchemaPath | undefined;
}

/** A path from the root to a schema, as its last step linked to the previous ones. Most paths are never printed, so they are not copied. */
interface SchemaPath {
  readonly step: string;
  readonly before: SchemaPath | undefined;
  readonly length: number;
}

interface Pending {
  readonly value: object;
  readonly path: SchemaPath | undefined;
}

/** Deeper or larger schemas of other servers are not read to their end. */
const DEEPEST = 64;
const MOST_SCHEMAS = 20_000;

/** Walks a schema and every schema inside it, in document order. */
export function* walkSchemas(root: unknown): Generator<InnerSchema> {
  const pending: Pending[] = [];
  addPending(pending, root, undefined);
  for (let count = 0; count < MOST_SCHEMAS; count += 1) {
    const next = pending.pop();
    if (next === undefined) return;
    const { value, path } = next;
    if (isObject(value)) yield { keywords: value, path };
    if ((path?.length ?? 0) >= DEEPEST) continue;
    const first = pending.length;
    if (isObject(value)) addMembers(pending, value, path);
    else addItems(pending, value as readonly unknown[], path);
    reverseFrom(pending, first);
  }
}

/** Lists the steps from the root, for example `['properties', 'address']`. */
export function listSteps(path: SchemaPath | undefined): string[] {
  const steps: string[] = [];
  for (let last = path; last !== undefined; last = last.before) steps.push(last.step);
  return steps.toReversed();
}

function addMembers(
  pending: Pending[],
  schema: Readonly<Record<string, unknown>>,
  path: SchemaPath | undefined,
) {
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword];
    if (typeof value !== 'object' || value === null || VALUE_KEYWORDS.has(keyword)) continue;
    const inner = lengthen(path, keyword);
    if (SCHEMA_MAPS.has(keyword)) addNamed(pending, value as Record<string, unknown>, inner);
    else pending.push({ value, path: inner });
  }
}

function addNamed(pending: Pending[], schemas: Readonly<Record<string, unknown>>, path: SchemaPath) {
  for (const name of Object.keys(schemas)) addPending(pending, schemas[name], lengthen(path, name));
}

function addItems(pending: Pending[], items: readonly unknown[], path: SchemaPath | undefined) {
  for (const [index, item] of items.entries()) addPending(pending, item, lengthen(path, String(index)));
}

function addPending(pending: Pending[], value: unknown, path: SchemaPath | undefined) {
  if (typeof value === 'object' && value !== null) pending.push({ value, path });
}

function lengthen(before: SchemaPath | undefined, name: string): SchemaPath {
  return { step: name, before, length: (before?.length ?? 0) + 1 };
}

/** Restores document order on the stack. Items are pushed one by one, because a call accepts fewer arguments than a schema may have properties. */
function reverseFrom(pending: Pending[], first: number) {
  for (const inner of pending.splice(first).toReversed()) pending.push(inner);
}
