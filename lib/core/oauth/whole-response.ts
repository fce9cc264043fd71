import { BODILESS, limitResponse, ResponseTooLargeError } from '../network/limited-fetch.js';

/** Many times the size of an authorization server's response. */
export const LONGEST_RESPONSE_BYTES = 512 * 1024;

/**
 * Reads a whole response up to a size limit, before it is used.
 *
 * @throws {ResponseTooLargeError} if it is too long
 */
export async function readWholeResponse(response: Response): Promise<Response> {
  const body = await readBytes(response);
  const { status, statusText, headers } = response;
  return new Response(BODILESS.has(status) ? null : body, { status, statusText, headers });
}

/**
 * Reads a response body, like {@link readWholeResponse}.
 *
 * @throws {ResponseTooLargeError} if it is too long
 */
export async function readBytes(response: Response): Promise<Buffer> {
  const limited = limitResponse(response, { maxBytes: LONGEST_RESPONSE_BYTES });
  return Buffer.from(await limited.arrayBuffer());
}

/** Explains why there is no complete response. If `fetch` fails, the reason is in its error's `cause`. */
export function explainNoResponse(error: unknown): string {
  if (error instanceof ResponseTooLargeError) return error.reason;
  const { name, code, cause } = error as Failure & { readonly cause?: Failure };
  return `cannot be reached: ${cause?.code ?? code ?? cause?.message ?? name}`;
}

/**
 * Node and OpenSSL errors about a certificate, or about a peer without TLS. They persist until the server is changed.
 */
const LASTING = /^(?:CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HPE_|EPROTO$|ENOTFOUND$)/;

/** Returns whether retrying later may help after an incomplete response. */
export function isTransientFailure(error: unknown): boolean {
  if (error instanceof ResponseTooLargeError) return false;
  const { code, cause } = error as Failure & { readonly cause?: Failure };
  return !LASTING.test(cause?.code ?? code ?? '');
}

type Failure = Error & { readonly code?: string };
