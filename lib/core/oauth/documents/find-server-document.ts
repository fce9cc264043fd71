import { isPassingStatus } from '../is-passing-status.js';
import { buildServerMetadataUrls } from '../well-known.js';
import {
  askForDocument,
  type DocumentFault,
  type DocumentGet,
  type DocumentReply,
} from './ask-for-document.js';

/** The result of a search for the metadata of an authorization server. */
export interface ServerDocumentSearch {
  readonly found: Extract<DocumentReply, { document: object }> | undefined;
  /** What was found instead, at each place that was asked. */
  readonly faults: readonly DocumentFault[];
  /** The failure that leaves open whether there is metadata; absent if there definitely is none. */
  readonly doubt: DocumentFault | undefined;
}

/**
 * Looks for the metadata of an authorization server, in each form that it may have.
 *
 * All forms are at one origin, and each must name the issuer. So trying the next form gives no other party control. So
 * an answer without metadata leads to the next form. It may be any 4xx, since some servers answer 400 or 403 for a
 * missing document, or an answer without JSON, such as a page. A 5xx leads on too, and is told if no form is found. If
 * the server is busy (408, 425, 429) or does not answer, the search ends. It rejects with the error of `get`.
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

/** A redirect to another place, or JSON with an unexpected status, is not followed. */
function leadsOn({ kind, status = 0 }: DocumentFault): boolean {
  if (kind !== 'status') return kind === 'no JSON';
  return status >= 500 || (status >= 400 && !isPassingStatus(status));
}
