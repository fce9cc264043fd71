import type { IncomingMessage } from 'node:http';
import { HeapCost } from '../../../memory/heap-costs.js';

/** Returns the memory of a request whose answer is a stream: its headers are kept as long as that is open. */
export function estimateStream({
  rawHeaders,
  url = '',
}: Pick<IncomingMessage, 'rawHeaders' | 'url'>): number {
  return rawHeaders.reduce((sum, { length }) => sum + length, HeapCost.request + url.length);
}
