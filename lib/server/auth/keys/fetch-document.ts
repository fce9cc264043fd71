import { explainNoResponse, readBytes } from '../../../core/oauth/whole-response.js';
import type { JsonObject } from '../../../core/protocol/json-rpc.js';
import { parseExactObject } from '../validators/jwt/decode-token.js';
import { quoteUrl } from '../quote-value.js';
import { DocumentError } from '../errors.js';

/** Traces how documents are fetched. */
export interface FetchTrace {
  /** Runs a fetch in its own span. The span ends with the promise, and records an error status. */
  runFetch<Result extends { readonly status: number }>(
    url: string,
    act: () => Promise<Result>,
  ): Promise<Result>;
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

/** An answer of any status. */
interface FetchedResponse {
  readonly status: number;
  readonly location: string | undefined;
  /** `undefined` if the status says that the document is not there. */
  readonly body: Buffer;
}

/**
 * Fetches a JSON object. No redirect is followed. Otherwise its author could supply false keys.
 *
 * @throws {DocumentError} if no answer of status 200 with a JSON object of at most 512 KiB comes in time. If `settings.request`
 *   is given, any status of success is right
 */
export async function fetchDocument(url: string, settings: FetchSettings): Promise<JsonObject> {
  const name = quoteUrl(url);
  const { status, body } = await fetchResponse(url, settings);
  const isGiven = status === 200 || (settings.request !== undefined && isSuccess(status));
  if (!isGiven) throw refuse(name, status);
  return parseDocument(name, status, body);
}

/**
 * Fetches a URL, and returns the answer. No redirect is followed.
 *
 * @throws {DocumentError} if there is no whole answer in time
 */
export async function fetchResponse(url: string, settings: FetchSettings): Promise<FetchedResponse> {
  const fetchIt = () => request(url, settings);
  return settings.trace === undefined ? fetchIt() : settings.trace.runFetch(url, fetchIt);
}

/** Documents are fetched minutes apart: a connection that is kept does nothing but end when nobody expects it. */
const ONCE = { connection: 'close' };

async function request(url: string, { timeoutMs, request: asked }: FetchSettings): Promise<FetchedResponse> {
  try {
    const response = await fetch(url, {
      ...asked,
      headers: { accept: 'application/json', ...(asked === undefined && ONCE), ...asked?.headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { status, headers } = response;
    return { status, location: headers.get('location') ?? undefined, body: await readWanted(response) };
  } catch (cause) {
    throw new DocumentError(`${quoteUrl(url)} ${explainFailedFetch(cause, timeoutMs)}`, undefined, { cause });
  }
}

/** A body that nobody wants is not waited for. */
async function readWanted(response: Response): Promise<Buffer> {
  if (isSuccess(response.status)) return readBytes(response);
  await response.body?.cancel();
  return Buffer.alloc(0);
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function refuse(name: string, status: number): DocumentError {
  const hint = status >= 300 && status < 400 ? ', and redirects are not followed' : '';
  return new DocumentError(`${name} answered with status ${status}${hint}`, status);
}

function parseDocument(name: string, status: number, bytes: Buffer): JsonObject {
  const parsed = parseExactObject(bytes);
  if (parsed === undefined) throw new DocumentError(`${name} did not send a JSON object`, status);
  return parsed;
}

/** Says why there is no complete answer, with the time limit. */
export function explainFailedFetch(error: unknown, timeoutMs: number): string {
  if ((error as Error).name === 'TimeoutError') return `did not answer within ${timeoutMs} ms`;
  return explainNoResponse(error);
}
