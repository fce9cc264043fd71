import type { SchemaDirection } from '../compiled-schema.interface.js';
import { decodeFragment, findByPointer } from '../../../core/protocol/json-pointer.js';
import { SchemaError } from '../schema.error.js';
import type { Subschema } from './find-subschemas.js';

/** Documents that need no fetching, as every validator knows them. */
const KNOWN_DOCUMENTS = new Set([
  'https://json-schema.org/draft/2020-12/schema',
  'http://json-schema.org/draft-07/schema',
]);

/**
 * Sees to it that a schema refers to nothing outside itself, its unused definitions included.
 *
 * @throws {SchemaError} naming the first reference that the schema does not hold
 * @see MCP 2026-07-28 basic, JSON Schema usage
 */
export function assertReferences(subschemas: readonly Subschema[], direction: SchemaDirection): void {
  const index = buildIndex(subschemas);
  for (const { keywords, address } of subschemas) {
    for (const reference of [keywords['$ref'], keywords['$dynamicRef']]) {
      if (typeof reference !== 'string' || holds(index, reference, address)) continue;
      throw SchemaError.unresolvedReference(direction, reference);
    }
  }
}

interface Index {
  readonly resources: ReadonlyMap<string, unknown>;
  readonly anchors: ReadonlySet<string>;
}

function buildIndex(subschemas: readonly Subschema[]): Index {
  const resources = new Map<string, unknown>();
  const anchors = new Set<string>();
  for (const { keywords, address } of subschemas) {
    if (!resources.has(address)) resources.set(address, keywords);
    for (const anchor of [keywords['$anchor'], keywords['$dynamicAnchor']]) {
      if (typeof anchor === 'string') anchors.add(`${address}#${anchor}`);
    }
    const id = keywords['$id'];
    if (typeof id === 'string' && id.startsWith('#')) anchors.add(`${address}${id}`);
  }
  return { resources, anchors };
}

function holds({ resources, anchors }: Index, reference: string, address: string): boolean {
  if (!URL.canParse(reference, address)) return false;
  const [document = '', fragment = ''] = new URL(reference, address).href.split('#');
  if (KNOWN_DOCUMENTS.has(document)) return true;
  if (!resources.has(document)) return false;
  if (fragment === '') return true;
  if (!fragment.startsWith('/')) return anchors.has(`${document}#${decodeFragment(fragment)}`);
  return findByPointer(resources.get(document), decodeFragment(fragment)) !== undefined;
}
