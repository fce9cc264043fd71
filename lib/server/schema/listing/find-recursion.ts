import { isObject } from '../../../core/protocol/json-rpc.js';
import type { JsonSchema } from '../compiled-schema.interface.js';
import { findByPointer } from '../../../core/protocol/json-pointer.js';
import { listInner } from '../json-schema/find-subschemas.js';
import { readReference } from './read-reference.js';

type References = ReadonlyMap<string, readonly string[]>;

/**
 * Finds the recursive parts of a schema, by their JSON Pointers. The way through the root does not count: what refers to
 * that stays a reference anyway.
 */
export function findRecursion(root: JsonSchema): ReadonlySet<string> {
  const references = listAll(root);
  return new Set([...findReferences(root)].filter((pointer) => reaches(references, pointer)));
}

/** Finds all parts of a schema but the root that are referred to. */
export function findReferences(root: JsonSchema): ReadonlySet<string> {
  return new Set([...listAll(root).keys()].filter((pointer) => pointer !== ''));
}

/** Finds the references of each referenced part. */
function listAll(root: JsonSchema): References {
  const references = new Map<string, readonly string[]>([['', listReferences(root)]]);
  // A map also iterates over what is added meanwhile.
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
