import { HeapCost } from './heap-costs.js';

/** Gives what the requests of a message take besides its text while they run; a batch has no more of them than it may have. */
export function estimateRequests(message: unknown, batchSize: number): number {
  if (!Array.isArray(message)) return HeapCost.request;
  return HeapCost.request + Math.min(message.length, batchSize) * HeapCost.batched;
}
