import { isPassingStatus } from '../is-passing-status.js';
import { buildServerMetadataUrls } from '../well-known.js';
import {
  askForDocument,
  type DocumentFault,
  type DocumentGet,
  type DocumentReply,
} from './ask-for-document.js';

/** What a search for the metadata of an authorization server came to. */
export interface ServerDocumentSearch {
  readonly found: Extract<DocumentReply, { document: object }> | undefined;
  /** What was found instead, at each place that was asked. */
  readonly faults: readonly DocumentFault[];
  /** The one of them that keeps it open whether there is metadata; absent if there definitely is none. */
  readonly doubt: DocumentFault | undefined;
}

/**
 * Looks for the metadata of an authorization server, in each form that it may have.
 *
 * All forms are at one origin, and what they say must name the issuer: going on to the next gives nobody a say who has none. So
 * what is no metadata leads on: a 4xx, also of servers that answer 400 or 403 where nothing is, and an answer without JSON, such as
 * a page. A 5xx leads on too, and is told if no form is found. If asking again would press the server (408, 425, 429), or nobody
 * answers at all, no other form is asked for; the rejection of `get` is that of the search.
 *
 * @see RFC 8414 §3, OpenID Connect Discovery 1.0 §4
 */
export async function findServerDocument(issuer: string, get: DocumentGet): Promise<ServerDocumentSearch> {
  const faults: DocumentFault[] = [];
  for (const url of buildServerMetadataUrls(issuer)) {
    const reply = await askForDocument(url, get);
    if (reply.document !== undefined) return { found: reply, faults, doubt: undefined };
    faults.push(reply);
    if (!leadsOn(reply)) return { found: undefined, faults, doubt: reply };
  }
  return { found: undefined, faults, doubt: faults.find(({ status = 0 }) => status >= 500) };
}

/** What redirects elsewhere, or sends JSON with an odd status, is no answer to act on. */
function leadsOn({ kind, status = 0 }: DocumentFault): boolean {
  if (kind !== 'status') return kind === 'no JSON';
  return status >= 500 || (status >= 400 && !isPassingStatus(status));
}
