import type { Client } from '@modelcontextprotocol/client';
import { ANY_RESULT } from '../../lib/client/tasks/task-response.js';
import { isObject } from '../../lib/core/protocol/json-rpc.js';

/** The maximum number of pages, for servers whose lists do not end. */
const MOST_PAGES = 100;

/** Fetches all pages of an extension's list: the objects in one property of its results. */
export async function listPages(
  client: Client,
  method: string,
  member: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  // Pages that are requested with the same options are limited together.
  const options = {};
  const listed: Readonly<Record<string, unknown>>[] = [];
  let cursor: unknown;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const params = typeof cursor === 'string' ? { cursor } : {};
    const result: unknown = await client.request({ method, params }, ANY_RESULT, options);
    if (!isObject(result) || !Array.isArray(result[member])) {
      throw new Error(`"${method}" returned no "${member}".`);
    }
    listed.push(...(result[member] as readonly unknown[]).filter(isObject));
    cursor = result['nextCursor'];
    if (typeof cursor !== 'string') break;
  }
  return listed;
}
