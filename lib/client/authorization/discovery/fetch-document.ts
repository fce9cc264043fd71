import { findUrl } from '../../../core/oauth/find-url.js';
import { parseJsonObject, type JsonObject } from '../../../core/protocol/parse-json-object.js';
import { DiscoveryFailedError } from '../errors/discovery-failed.error.js';
import { NoAnswerError } from '../errors/no-answer.error.js';
import { quoteUrl } from '../errors/quote.js';
import type { ClientHttp } from '../http/client-http.js';
import { isRedirect } from '../http/is-redirect.js';

/** How documents are fetched. */
export interface DocumentFetch {
  readonly http: ClientHttp;
  readonly signal?: AbortSignal | undefined;
  /** Hosts that may be reached by plain `http`. @default [] */
  readonly insecureHosts?: readonly string[] | undefined;
  /** Whether issuers may differ by a slash at the end. @default false */
  readonly ignoreIssuerSlash?: boolean | undefined;
}

const MOST_REDIRECTS = 3;
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json *(?:;|$)/i;

/**
 * Looks for a JSON object. Redirects are followed where they stay with the same origin.
 *
 * @returns nothing where the server says that there is none: it answers 404
 * @throws {DiscoveryFailedError} for every other answer, and for none
 */
export async function findDocument(url: string, fetching: DocumentFetch): Promise<JsonObject | undefined> {
  let place = url;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const response = await request(place, fetching);
    if (response.status === 404) return undefined;
    if (!isRedirect(response)) return parseDocument(place, response);
    place = followWithin(place, response);
  }
  throw new DiscoveryFailedError({ url, fault: `redirects more than ${MOST_REDIRECTS} times` });
}

/**
 * Gets a JSON object that has to be there.
 *
 * @throws {DiscoveryFailedError} where it is not
 */
export async function getDocument(url: string, fetching: DocumentFetch): Promise<JsonObject> {
  const document = await findDocument(url, fetching);
  if (document !== undefined) return document;
  throw new DiscoveryFailedError({
    url,
    fault: 'was said to be there and answered with status 404',
    status: 404,
  });
}

async function request(url: string, { http, signal }: DocumentFetch): Promise<Response> {
  try {
    return await http(url, { headers: { accept: 'application/json' }, signal });
  } catch (cause) {
    if (!(cause instanceof NoAnswerError)) throw cause;
    throw new DiscoveryFailedError({ url, fault: cause.fault }, { cause });
  }
}

/** Whoever answers for one origin has no say about another. */
function followWithin(url: string, { status, headers }: Response): string {
  const location = headers.get('location');
  const target = location === null ? undefined : findUrl(location, url);
  if (target?.origin === new URL(url).origin) return target.href;
  const where = target === undefined ? 'nowhere' : `to another origin, ${quoteUrl(target)}`;
  throw new DiscoveryFailedError({ url, fault: `redirects ${where}`, status });
}

async function parseDocument(url: string, response: Response): Promise<JsonObject> {
  const { status, headers } = response;
  if (status !== 200) {
    throw new DiscoveryFailedError({ url, fault: `answered with status ${status}`, status });
  }
  const isJson = JSON_TYPE.test(headers.get('content-type') ?? '');
  const parsed = isJson ? parseJsonObject(await response.arrayBuffer()) : undefined;
  if (parsed === undefined)
    throw new DiscoveryFailedError({ url, fault: 'did not send a JSON object', status });
  return parsed;
}
