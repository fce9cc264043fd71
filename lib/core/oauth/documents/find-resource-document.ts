import { askForDocument, type DocumentGet, type DocumentReply } from './ask-for-document.js';

/**
 * Looks for a document of a protected resource at the places where it may be.
 *
 * The rule is strict: a place that does not have it says so by 404, and any other answer ends the search. Nobody who can break one
 * place can so have the document taken from the next.
 *
 * @returns what the last place that was asked has
 * @see RFC 9728 §3, MCP 2026-07-28 basic/authorization
 */
export async function findResourceDocument(
  [url, ...others]: readonly [string, ...string[]],
  get: DocumentGet,
): Promise<DocumentReply> {
  const reply = await askForDocument(url, get);
  const [next, ...rest] = others;
  return isAbsent(reply) && next !== undefined ? findResourceDocument([next, ...rest], get) : reply;
}

/** Tells whether a place says that a resource has no document there. */
export function isAbsent(reply: DocumentReply): boolean {
  return reply.document === undefined && reply.status === 404;
}
