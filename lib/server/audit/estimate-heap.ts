import { estimateText } from '../../core/protocol/measured-json.js';
import { HeapCost } from '../memory/heap-costs.js';

/** Bytes of an object, an array or an entry, without texts. */
const VALUE_BYTES = 56;

/** Values after which nothing is counted any more: nobody keeps so much of one call. */
const MOST_VALUES = 100_000;

/**
 * Estimates the heap that an event, or an operator's value, takes while it waits. It never throws, whatever a redactor
 * shows.
 */
export function estimateHeap(event: unknown): number {
  let bytes: number = HeapCost.audited;
  let values = 0;
  // What stands in several places, or in itself, is there once.
  const holders = new Set<object>();
  const count = (value: unknown): void => {
    values += 1;
    bytes += VALUE_BYTES + measureOwn(value);
    if (typeof value === 'object' && value !== null) holders.add(value);
  };
  count(event);
  for (const holder of holders) {
    for (const part of listParts(holder)) count(part);
    if (values >= MOST_VALUES) break;
  }
  return bytes;
}

function measureOwn(value: unknown): number {
  if (typeof value === 'string') return estimateText(value);
  return ArrayBuffer.isView(value) ? value.byteLength : 0;
}

/** What a redactor invented may throw when it is read: nobody else can read it either. */
function listParts(holder: object): readonly unknown[] {
  if (ArrayBuffer.isView(holder)) return [];
  try {
    if (holder instanceof Map || holder instanceof Set) return [...holder].flat();
    return Object.values(holder).filter((part) => part !== undefined);
  } catch {
    return [];
  }
}
