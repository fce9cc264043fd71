import { requestDocument, type DocumentGet, type DocumentResult } from './ask-for-document.js';

/**
 * Looks for a document of a protected resource at its possible URLs.
 *
 * Only 404 leads to the next URL; any other response ends the search. Otherwise, someone who can break one URL could
 * have the document read from the next.
 *
 * @returns the result for the last requested URL
 * @see RFC 9728 §3, MCP 2026-07-28 basic/authorization
 */
export async function findResourceDocument(
  [url, ...others]: readonly [string, ...string[]],
  get: DocumentGet,
): Promise<DocumentResult> {
  const reply = await requestDocument(url, get);
  const [next, ...rest] = others;
  return isNotFound(reply) && next !== undefined ? findResourceDocument([next, ...rest], get) : reply;
}

/** Returns whether a URL has no such document. */
export function isNotFound(reply: DocumentResult): boolean {
  return reply.document === undefined && reply.status === 404;
}
