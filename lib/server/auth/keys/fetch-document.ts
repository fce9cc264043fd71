import { explainNoAnswer, readBytes } from '../../../core/oauth/whole-answer.js';
import type { JsonObject } from '../../../core/protocol/parse-json-object.js';
import { parseExactObject } from '../parse-exact-object.js';
import { quoteUrl } from '../quote-value.js';
import { DocumentError } from './document.error.js';

/** Traces how documents are fetched. */
export interface FetchTrace {
  /** Runs a fetch in a span of its own, which ends with its promise. */
  runFetch<Result>(url: string, act: () => Promise<Result>): Promise<Result>;
}

/** How a document is fetched. */
export interface FetchSettings {
  /** Milliseconds until the last byte has to be there. */
  readonly timeoutMs: number;
  readonly trace?: FetchTrace | undefined;
  /** What is sent, for other methods than GET. */
  readonly request?: DocumentRequest;
}

/** A request that asks for a document with more than its URL. */
export interface DocumentRequest {
  readonly method: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
}

/**
 * Fetches a JSON object. No redirect is followed: whoever may redirect could put keys of their own in place.
 *
 * @throws {DocumentError} where it does not answer in time with 200 and a JSON object of at most 512 KiB
 */
export async function fetchDocument(url: string, settings: FetchSettings): Promise<JsonObject> {
  const fetchIt = () => requestDocument(url, settings);
  return settings.trace === undefined ? fetchIt() : settings.trace.runFetch(url, fetchIt);
}

/** Documents are fetched minutes apart: a connection that is kept does nothing but end when nobody expects it. */
const ONCE = { connection: 'close' };

async function requestDocument(url: string, { timeoutMs, request }: FetchSettings): Promise<JsonObject> {
  const name = quoteUrl(url);
  try {
    const response = await fetch(url, {
      ...request,
      headers: { accept: 'application/json', ...(request === undefined && ONCE), ...request?.headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status !== 200) throw await refuse(name, response);
    return parseDocument(name, await readBytes(response));
  } catch (cause) {
    if (cause instanceof DocumentError) throw cause;
    throw new DocumentError(`${name} ${explainFailedFetch(cause, timeoutMs)}`, undefined, { cause });
  }
}

/** A body that nobody wants is not waited for. */
async function refuse(name: string, { status, body }: Response): Promise<DocumentError> {
  await body?.cancel();
  const hint = status >= 300 && status < 400 ? ', and redirects are not followed' : '';
  return new DocumentError(`${name} answered with status ${status}${hint}`, status);
}

function parseDocument(name: string, bytes: Buffer): JsonObject {
  const parsed = parseExactObject(bytes);
  if (parsed === undefined) throw new DocumentError(`${name} did not send a JSON object`);
  return parsed;
}

/** Says why there is no whole answer, and in which time. */
export function explainFailedFetch(error: unknown, timeoutMs: number): string {
  if ((error as Error).name === 'TimeoutError') return `did not answer within ${timeoutMs} ms`;
  return explainNoAnswer(error);
}
