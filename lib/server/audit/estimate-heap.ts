import { estimateText } from '../../core/protocol/measured-json.js';
import { HeapCost } from '../memory/heap-costs.js';

/** What an object, an array or an entry of one takes besides texts. */
const VALUE_BYTES = 56;

/** Values after which nothing is counted any more: nobody keeps so much of one call. */
const MOST_VALUES = 100_000;

/** Gives about what an event, or what an operator made of some, takes of the heap while it is not kept. */
export function estimateHeap(event: unknown): number {
  let bytes: number = HeapCost.audited;
  const rest: unknown[] = [event];
  for (let values = 0; rest.length > 0 && values < MOST_VALUES; values += 1) {
    const value = rest.pop();
    bytes += VALUE_BYTES + measureOwn(value);
    for (const part of listParts(value)) rest.push(part);
  }
  return bytes;
}

function measureOwn(value: unknown): number {
  if (typeof value === 'string') return estimateText(value);
  return ArrayBuffer.isView(value) ? value.byteLength : 0;
}

function listParts(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return [];
  if (value instanceof Map || value instanceof Set) return [...value].flat();
  return Object.values(value).filter((part) => part !== undefined);
}
