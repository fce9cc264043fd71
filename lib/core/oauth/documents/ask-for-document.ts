import { findUrl } from '../find-url.js';
import { isRedirectStatus } from '../is-redirect-status.js';

/** A JSON object, its members unchecked. */
export type FoundDocument = { readonly [member: string]: unknown };

/** How a place answered that was asked for a document. */
export interface DocumentAnswer {
  readonly status: number;
  /** Where the answer leads (RFC 9110 §10.2.2). */
  readonly location?: string | undefined;
  /** The JSON object in it; absent if it has none. */
  readonly document?: FoundDocument | undefined;
}

/** Asks one place, and follows no redirect; it rejects if there is no answer. */
export type DocumentGet = (url: string) => Promise<DocumentAnswer>;

/** What was found instead of a document. */
export interface DocumentFault {
  /** The place that was asked. */
  readonly url: string;
  readonly kind: 'status' | 'no JSON' | 'redirect';
  /** What is wrong, as the end of a sentence that begins with the URL. */
  readonly fault: string;
  readonly status?: number | undefined;
}

/** What a place has: a document, or something else. */
export type DocumentReply =
  | { readonly url: string; readonly status: number; readonly document: FoundDocument }
  | (DocumentFault & { readonly document?: undefined });

const MOST_REDIRECTS = 3;

/**
 * Asks a place for a JSON object. Redirects are followed within the origin, because one origin must not decide about
 * another.
 *
 * @see RFC 9110 §15.4
 */
export async function askForDocument(url: string, get: DocumentGet): Promise<DocumentReply> {
  let place = url;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const answer = await get(place);
    if (!isRedirectStatus(answer.status)) return judge(place, answer);
    const target = answer.location === undefined ? undefined : findUrl(answer.location, place);
    if (target?.origin !== new URL(place).origin) return refuseRedirect(place, answer.status, target);
    place = target.href;
  }
  return { url, kind: 'redirect', fault: `redirects more than ${MOST_REDIRECTS} times` };
}

function judge(url: string, { status, document }: DocumentAnswer): DocumentReply {
  if (status === 200 && document !== undefined) return { url, status, document };
  const isEmptyHanded = status >= 200 && status < 300 && document === undefined;
  if (isEmptyHanded) return { url, status, kind: 'no JSON', fault: 'did not send a JSON object' };
  return { url, status, kind: 'status', fault: `answered with status ${status}` };
}

function refuseRedirect(url: string, status: number, target: URL | undefined): DocumentFault {
  const where = target === undefined ? 'nowhere' : `to another origin, "${target.origin}"`;
  return { url, status, kind: 'redirect', fault: `redirects ${where}` };
}
