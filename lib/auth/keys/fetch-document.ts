import { isUtf8 } from 'node:buffer';
import { isObject } from '../../protocol/json-rpc.js';
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

/** A JSON object as it came, its members unchecked. */
export type JsonDocument = { readonly [member: string]: unknown };

/** Many times what an authorization server has to say. */
const LONGEST_BYTES = 512 * 1024;

/**
 * Fetches a JSON object. No redirect is followed: whoever may redirect could put keys of their own in place.
 *
 * @throws {DocumentError} where it does not answer in time with 200 and a JSON object of at most 512 KiB
 */
export async function fetchDocument(url: string, settings: FetchSettings): Promise<JsonDocument> {
  const fetchIt = () => requestDocument(url, settings);
  return settings.trace === undefined ? fetchIt() : settings.trace.runFetch(url, fetchIt);
}

/** Documents are fetched minutes apart: a connection that is kept does nothing but end when nobody expects it. */
const ONCE = { connection: 'close' };

async function requestDocument(url: string, { timeoutMs, request }: FetchSettings): Promise<JsonDocument> {
  const name = quoteUrl(url);
  try {
    const response = await fetch(url, {
      ...request,
      headers: { accept: 'application/json', ...(request === undefined && ONCE), ...request?.headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status !== 200) throw await refuse(name, response);
    return parseDocument(name, await readBody(name, response));
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

/**
 * Reads a body, as far as it is sane.
 *
 * @throws {DocumentError} where it is too long
 */
export async function readBody(name: string, { body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > LONGEST_BYTES) throw new DocumentError(`${name} sent more than ${LONGEST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parseDocument(name: string, bytes: Buffer): JsonDocument {
  const parsed = isUtf8(bytes) ? parseJson(bytes.toString()) : undefined;
  if (!isObject(parsed)) throw new DocumentError(`${name} did not send a JSON object`);
  return parsed;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Says why `fetch` failed: the reason stands behind the error that it throws. */
export function explainFailedFetch(error: unknown, timeoutMs: number): string {
  const { name, cause } = error as Error & { readonly cause?: Error & { readonly code?: string } };
  if (name === 'TimeoutError') return `did not answer within ${timeoutMs} ms`;
  return `cannot be reached: ${cause?.code ?? cause?.message ?? name}`;
}
