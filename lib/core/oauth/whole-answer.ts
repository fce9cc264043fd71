import { BODILESS, limitResponse } from '../network/limited-fetch.js';
import { ResponseTooLargeError } from '../network/response-too-large.error.js';

/** Many times what an authorization server has to say. */
export const LONGEST_ANSWER_BYTES = 512 * 1024;

/**
 * Reads an answer before anybody acts on it, and no more of it than is sane.
 *
 * @throws {ResponseTooLargeError} if it is too long
 */
export async function readWhole(response: Response): Promise<Response> {
  const body = await readBytes(response);
  const { status, statusText, headers } = response;
  return new Response(BODILESS.has(status) ? null : body, { status, statusText, headers });
}

/**
 * Reads the body of an answer, as {@link readWhole} does.
 *
 * @throws {ResponseTooLargeError} if it is too long
 */
export async function readBytes(response: Response): Promise<Buffer> {
  const limited = limitResponse(response, { maxBytes: LONGEST_ANSWER_BYTES });
  return Buffer.from(await limited.arrayBuffer());
}

/** Says why there is no complete answer. If `fetch` fails, the reason is in the `cause` of its error. */
export function explainNoAnswer(error: unknown): string {
  if (error instanceof ResponseTooLargeError) return error.reason;
  const { name, code, cause } = error as Failure & { readonly cause?: Failure };
  return `cannot be reached: ${cause?.code ?? code ?? cause?.message ?? name}`;
}

/** Errors of Node and OpenSSL about a certificate, or about a peer without TLS. They last until somebody changes the server. */
const LASTING = /^(?:CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HPE_|EPROTO$|ENOTFOUND$)/;

/** Tells whether trying again later may help if there is no whole answer. */
export function isPassingFailure(error: unknown): boolean {
  if (error instanceof ResponseTooLargeError) return false;
  const { code, cause } = error as Failure & { readonly cause?: Failure };
  return !LASTING.test(cause?.code ?? code ?? '');
}

type Failure = Error & { readonly code?: string };
