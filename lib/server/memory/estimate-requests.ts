import { HeapCost } from './heap-costs.js';

/** Returns the memory of the requests of a message while they run, in addition to its text. A batch never has more requests than its bound. */
export function estimateRequests(message: unknown, batchSize: number): number {
  if (!Array.isArray(message)) return HeapCost.request;
  return HeapCost.request + Math.min(message.length, batchSize) * HeapCost.batched;
}
