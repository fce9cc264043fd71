import type { ServerResponse } from 'node:http';
import { HeapCost } from '../../../memory/heap-costs.js';
import type { MemoryHold } from '../../../memory/memory-hold.js';
import { isClientGone, onClientGone } from './on-client-gone.js';
import { countQueuedBytes } from './queued-bytes.js';

/** Releases the memory of a request. An unread answer counts until the client has read it or disconnected. */
export function releaseWhenTaken(memory: MemoryHold | undefined, response: ServerResponse): void {
  if (memory === undefined) return;
  const queued = countQueuedBytes(response);
  if (queued === 0 || isClientGone(response)) return memory.release();
  memory.resize(HeapCost.request + queued);
  onClientGone(response, () => memory.release());
}
