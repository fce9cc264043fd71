import type { IncomingHttpHeaders } from 'node:http';

/** Headers that say that a request has a body, and of what kind. */
export type EntityHeaders = Pick<
  IncomingHttpHeaders,
  'content-type' | 'content-length' | 'transfer-encoding'
>;

/** Hides them from parsers. A header that was not sent is not added either: it would be listed from then on. */
export function hideEntity(headers: IncomingHttpHeaders): void {
  if (headers['content-type'] !== undefined) headers['content-type'] = undefined;
  if (headers['content-length'] !== undefined) headers['content-length'] = undefined;
  if (headers['transfer-encoding'] !== undefined) headers['transfer-encoding'] = undefined;
}

/** Shows them again. */
export function restoreEntity(headers: IncomingHttpHeaders, hidden: EntityHeaders): void {
  if (hidden['content-type'] !== undefined) headers['content-type'] = hidden['content-type'];
  if (hidden['content-length'] !== undefined) headers['content-length'] = hidden['content-length'];
  if (hidden['transfer-encoding'] !== undefined) headers['transfer-encoding'] = hidden['transfer-encoding'];
}
