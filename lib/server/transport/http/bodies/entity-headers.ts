import type { IncomingHttpHeaders } from 'node:http';

/** Headers that say that a request has a body, and of what kind. */
export type EntityHeaders = Pick<
  IncomingHttpHeaders,
  'content-type' | 'content-length' | 'transfer-encoding'
>;

/** Hides them from parsers, and gives them. A header that was not sent is not added either: it would be listed from then on. */
export function takeEntity(headers: IncomingHttpHeaders): EntityHeaders {
  const taken = {
    'content-type': headers['content-type'],
    'content-length': headers['content-length'],
    'transfer-encoding': headers['transfer-encoding'],
  };
  if (headers['content-type'] !== undefined) headers['content-type'] = undefined;
  if (headers['content-length'] !== undefined) headers['content-length'] = undefined;
  if (headers['transfer-encoding'] !== undefined) headers['transfer-encoding'] = undefined;
  return taken;
}

/** Shows them again. */
export function restoreEntity(headers: IncomingHttpHeaders, hidden: EntityHeaders): void {
  if (hidden['content-type'] !== undefined) headers['content-type'] = hidden['content-type'];
  if (hidden['content-length'] !== undefined) headers['content-length'] = hidden['content-length'];
  if (hidden['transfer-encoding'] !== undefined) headers['transfer-encoding'] = hidden['transfer-encoding'];
}
