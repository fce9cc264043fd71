import type { ServerResponse } from 'node:http';
import { HeapCost } from '../../../memory/heap-costs.js';
import type { MemoryHold } from '../../../memory/memory-hold.js';
import { isClientGone, onClientGone } from './on-client-gone.js';

/** Gives back what a request took; an answer that its client has not taken yet counts until it has, or is gone. */
export function releaseWhenTaken(memory: MemoryHold | undefined, response: ServerResponse): void {
  if (memory === undefined) return;
  const { writableLength } = response;
  if (writableLength === 0 || isClientGone(response)) return memory.release();
  memory.resize(HeapCost.request + writableLength);
  onClientGone(response, () => memory.release());
}
