import { findUrl } from '../find-url.js';
import { isRedirectStatus } from '../is-redirect-status.js';

/** A JSON object with unchecked properties. */
export type FoundDocument = { readonly [member: string]: unknown };

/** The response to a request for a document. */
export interface DocumentResponse {
  readonly status: number;
  /** The target of a redirect (RFC 9110 §10.2.2). */
  readonly location?: string | undefined;
  /** The JSON object in it; absent if it has none. */
  readonly document?: FoundDocument | undefined;
}

/** Requests one URL, without following redirects; rejects if there is no response. */
export type DocumentGet = (url: string) => Promise<DocumentResponse>;

/** What was found instead of a document. */
export interface DocumentProblem {
  /** The requested URL. */
  readonly url: string;
  readonly kind: 'status' | 'no JSON' | 'redirect';
  /** What is wrong, as the end of a sentence that begins with the URL. */
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
  if (hasNoJson) return { url, status, kind: 'no JSON', problem: 'did not send a JSON object' };
  return { url, status, kind: 'status', problem: `responded with status ${status}` };
}

function refuseRedirect(url: string, status: number, target: URL | undefined): DocumentProblem {
  const where = target === undefined ? 'nowhere' : `to another origin, "${target.origin}"`;
  return { url, status, kind: 'redirect', problem: `redirects ${where}` };
}
