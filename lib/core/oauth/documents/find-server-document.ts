import { isTransientStatus } from '../is-passing-status.js';
import { buildServerMetadataUrls } from '../well-known.js';
import {
  requestDocument,
  type DocumentProblem,
  type DocumentGet,
  type DocumentResult,
} from './ask-for-document.js';

/** The result of a search for the metadata of an authorization server. */
export interface ServerDocumentSearch {
  readonly found: Extract<DocumentResult, { document: object }> | undefined;
  /** The problem at each URL that was tried. */
  readonly problems: readonly DocumentProblem[];
  /** The problem that leaves open whether there is metadata; absent if there definitely is none. */
  readonly doubt: DocumentProblem | undefined;
}

/**
 * Looks for the metadata of an authorization server, in each form that it may have.
 *
 * All forms are at one origin, and each must name the issuer, so trying the next form gives no other party control. The
 * next form follows any 4xx, since some servers respond with 400 or 403 for a missing document, and any response
 * without JSON, such as a page. It also follows a 5xx, which is reported if no form is found. If the server is busy
 * (408, 425, 429) or does not respond, the search ends, and rejects with the error of `get`.
 *
 * @see RFC 8414 §3, OpenID Connect Discovery 1.0 §4
 */
export async function findServerDocument(issuer: string, get: DocumentGet): Promise<ServerDocumentSearch> {
  const problems: DocumentProblem[] = [];
  for (const url of buildServerMetadataUrls(issuer)) {
    const reply = await requestDocument(url, get);
    if (reply.document !== undefined) return { found: reply, problems, doubt: undefined };
    problems.push(reply);
    if (!leadsOn(reply)) return { found: undefined, problems, doubt: reply };
  }
  return { found: undefined, problems, doubt: problems.find(({ status = 0 }) => status >= 500) };
}

/** A redirect to another place, or JSON with an unexpected status, is not followed. */
function leadsOn({ kind, status = 0 }: DocumentProblem): boolean {
  if (kind !== 'status') return kind === 'no JSON';
  return status >= 500 || (status >= 400 && !isTransientStatus(status));
}
