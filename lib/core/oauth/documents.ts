import { findUrl } from './secure-url.js';
import { isRedirectStatus, isTransientStatus } from './http-status.js';
import { buildServerMetadataUrls } from './metadata.js';

/** A JSON object with unchecked properties. */
export type FoundDocument = { readonly [member: string]: unknown };

/** The response to a request for a document. */
export interface DocumentResponse {
  readonly status: number;
  /** The target of a redirect (RFC 9110 §10.2.2). */
  readonly location?: string | undefined;
  /** The JSON object in it; absent if there is none. */
  readonly document?: FoundDocument | undefined;
}

/** Requests one URL, without following redirects; rejects if there is no response. */
export type DocumentGet = (url: string) => Promise<DocumentResponse>;

/** What was found instead of a document. */
export interface DocumentProblem {
  /** The requested URL. */
  readonly url: string;
  readonly kind: 'status' | 'no JSON' | 'redirect';
  /** The problem, phrased to follow the URL. */
  readonly problem: string;
  readonly status?: number | undefined;
}

/** The result for one URL: a document, or a problem. */
export type DocumentResult =
  | { readonly url: string; readonly status: number; readonly document: FoundDocument }
  | (DocumentProblem & { readonly document?: undefined });

const MOST_REDIRECTS = 3;

/**
 * Requests a JSON object from a URL. Redirects are followed within the origin, because one origin must not decide for
 * another.
 *
 * @see RFC 9110 §15.4
 */
export async function requestDocument(url: string, get: DocumentGet): Promise<DocumentResult> {
  let place = url;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const answer = await get(place);
    if (!isRedirectStatus(answer.status)) return judge(place, answer);
    const target = answer.location === undefined ? undefined : findUrl(answer.location, place);
    if (target?.origin !== new URL(place).origin) return refuseRedirect(place, answer.status, target);
    place = target.href;
  }
  return { url, kind: 'redirect', problem: `redirects more than ${MOST_REDIRECTS} times` };
}

function judge(url: string, { status, document }: DocumentResponse): DocumentResult {
  if (status === 200 && document !== undefined) return { url, status, document };
  const hasNoJson = status >= 200 && status < 300 && document === undefined;
  if (hasNoJson) return { url, status, kind: 'no JSON', problem: 'did not respond with a JSON object' };
  return { url, status, kind: 'status', problem: `responded with status ${status}` };
}

function refuseRedirect(url: string, status: number, target: URL | undefined): DocumentProblem {
  const where = target === undefined ? 'nowhere' : `to another origin, "${target.origin}"`;
  return { url, status, kind: 'redirect', problem: `redirects ${where}` };
}

/**
 * Looks for a protected resource's document at its possible URLs.
 *
 * Only 404 leads to the next URL; any other response ends the search. Otherwise, an attacker who can break one URL
 * could cause the document to be read from the next.
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

/** The result of a search for an authorization server's metadata. */
export interface ServerDocumentSearch {
  readonly found: Extract<DocumentResult, { document: object }> | undefined;
  /** The problem at each URL that was tried. */
  readonly problems: readonly DocumentProblem[];
  /** The problem that leaves open whether there is metadata; absent if there definitely is none. */
  readonly doubt: DocumentProblem | undefined;
}

/**
 * Looks for an authorization server's metadata, in each form that it may have.
 *
 * All forms are at one origin, and each must name the issuer, so trying the next form does not give any other party
 * control. The next form is tried after any 4xx, because some servers respond with 400 or 403 for a missing document,
 * and after any response without JSON, such as a page. It is also tried after a 5xx, which is reported if no form is
 * found. If the server is busy (408, 425, 429) or does not respond, the search ends, and rejects with the error of
 * `get`.
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

/** A redirect to another origin, or JSON with an unexpected status, is not followed. */
function leadsOn({ kind, status = 0 }: DocumentProblem): boolean {
  if (kind !== 'status') return kind === 'no JSON';
  return status >= 500 || (status >= 400 && !isTransientStatus(status));
}
