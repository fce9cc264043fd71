import { ErrorCode } from '../../lib/core/protocol/error-codes.js';
import { isObject } from '../../lib/core/protocol/json-rpc.js';
import type { ListedCatalog } from '../../lib/core/lint/read-catalog.js';

/** Sends a request to a server, and returns the result. */
export type SendRequest = (method: string, params: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** A server's declaration when a client connects. */
export interface ServerDeclaration {
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly instructions: unknown;
}

/** The lists, with the capabilities that declare them. */
const LISTS = [
  { capability: 'tools', kind: 'tools', method: 'tools/list' },
  { capability: 'prompts', kind: 'prompts', method: 'prompts/list' },
  { capability: 'resources', kind: 'resources', method: 'resources/list' },
  { capability: 'resources', kind: 'resourceTemplates', method: 'resources/templates/list' },
] as const;

/** Larger lists are unusable anyway, and the rules stop earlier. */
const MOST_PAGES = 100;
const MOST_ITEMS = 2_001;

/** Collects all pages of a server's lists, without validation. */
export async function collectCatalog(
  { capabilities, instructions }: ServerDeclaration,
  ask: SendRequest,
): Promise<ListedCatalog> {
  const listed: Record<string, readonly unknown[]> = {};
  let isCut = false;
  for (const { capability, kind, method } of LISTS) {
    if (capabilities[capability] === undefined) continue;
    const pages = await collectPages(ask, method, kind);
    listed[kind] = pages.items;
    isCut ||= pages.isCut;
  }
  return { instructions, ...listed, isCut };
}

async function collectPages(ask: SendRequest, method: string, kind: string) {
  const items: unknown[] = [];
  const seen = new Set<unknown>();
  let cursor: unknown;
  for (let page = 0; page < MOST_PAGES && items.length < MOST_ITEMS; page += 1) {
    const result = await ask(method, cursor === undefined ? {} : { cursor }).catch(ignoreUnknown);
    const listed = isObject(result) ? result[kind] : undefined;
    if (!isObject(result) || !Array.isArray(listed)) return { items, isCut: false };
    items.push(...(listed as unknown[]).slice(0, MOST_ITEMS));
    cursor = result['nextCursor'];
    // A repeated cursor leads to pages that have been read.
    if (typeof cursor !== 'string' || seen.has(cursor)) return { items, isCut: false };
    seen.add(cursor);
  }
  return { items, isCut: true };
}

/** Servers may support resources without templates. */
function ignoreUnknown(error: unknown): undefined {
  if ((error as { readonly code?: unknown }).code !== ErrorCode.MethodNotFound) throw error;
  return undefined;
}
