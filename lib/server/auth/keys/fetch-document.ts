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

/** How to fetch a document. */
export interface FetchSettings {
  /** Milliseconds until the last byte must have arrived. */
  readonly timeoutMs: number;
  readonly trace?: FetchTrace | undefined;
  /** The request, for methods other than GET. */
  readonly request?: DocumentRequest;
}

/** A request for a document with a method and a body. */
export interface DocumentRequest {
  readonly method: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
}

/** A response of any status. */
interface FetchedResponse {
  readonly status: number;
  readonly location: string | undefined;
  /** Empty unless the status indicates success. */
  readonly body: Buffer;
}

/**
 * Fetches a JSON object. Redirects are not followed, because whoever controls them could supply forged keys.
 *
 * @throws {DocumentError} if no response of status 200 with a JSON object of at most 512 KiB arrives in time. With
 * `settings.request`, any success status is accepted
 */
export async function fetchDocument(url: string, settings: FetchSettings): Promise<JsonObject> {
  const name = quoteUrl(url);
  const { status, body } = await fetchResponse(url, settings);
  const isGiven = status === 200 || (settings.request !== undefined && isSuccess(status));
  if (!isGiven) throw refuse(name, status);
  return parseDocument(name, status, body);
}

/**
 * Fetches a URL, without following redirects.
 *
 * @throws {DocumentError} if no complete response arrives in time
 */
export async function fetchResponse(url: string, settings: FetchSettings): Promise<FetchedResponse> {
  const fetchIt = () => request(url, settings);
  return settings.trace === undefined ? fetchIt() : settings.trace.runFetch(url, fetchIt);
}

/** Documents are fetched minutes apart, so a kept-alive connection would only be closed unexpectedly. */
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

/** An error's body is not read. */
async function readWanted(response: Response): Promise<Buffer> {
  if (isSuccess(response.status)) return readBytes(response);
  await response.body?.cancel();
  return Buffer.alloc(0);
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function refuse(name: string, status: number): DocumentError {
  const hint = status >= 300 && status < 400 ? ', but redirects are not followed' : '';
  return new DocumentError(`${name} responded with status ${status}${hint}`, status);
}

function parseDocument(name: string, status: number, bytes: Buffer): JsonObject {
  const parsed = parseExactObject(bytes);
  if (parsed === undefined) throw new DocumentError(`${name} did not respond with a JSON object`, status);
  return parsed;
}

/** Describes why there is no complete response, with the time limit. */
export function explainFailedFetch(error: unknown, timeoutMs: number): string {
  if ((error as Error).name === 'TimeoutError') return `did not respond within ${timeoutMs} ms`;
  return explainNoResponse(error);
}
