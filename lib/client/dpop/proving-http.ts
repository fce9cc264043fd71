import { isObject } from '../../protocol/json-rpc.js';
import type { ClientHttp, ClientRequest } from '../http/client-http.js';
import type { DpopProof } from './dpop-proof.js';

/** What requests to a token endpoint are sent with. */
export interface ProvingHttpParts {
  readonly http: ClientHttp;
  readonly proof: DpopProof;
  /** Whether a request may be sent again as it is: one with an assertion that counts once may not. @default true */
  readonly isRepeatable?: boolean;
}

/**
 * Creates what sends requests to a token endpoint with a proof of the key that tokens are to be bound to. Where the
 * endpoint asks for a nonce, the request is sent again with it, once.
 *
 * @example
 * const http = createProvingHttp({ http: createClientHttp({ serverUrl }), proof });
 *
 * @see RFC 9449 §5, §8
 */
export function createProvingHttp({ http, proof, isRepeatable = true }: ProvingHttpParts): ClientHttp {
  const send = async (url: string, request: ClientRequest): Promise<Response> => {
    const headers = new Headers(request.headers);
    headers.set('dpop', await proof.sign({ method: request.method ?? 'GET', url }));
    const response = await http(url, { ...request, headers });
    proof.heedAnswer(url, response.headers);
    return response;
  };
  return async (url, request = {}) => {
    const target = String(url);
    const response = await send(target, request);
    return isRepeatable && (await asksForNonce(response)) ? send(target, request) : response;
  };
}

/** Tells whether an answer of a token endpoint asks for the nonce that it brings. */
export async function asksForNonce(response: Response): Promise<boolean> {
  const { status, headers } = response;
  if (status < 400 || status > 499 || !headers.has('dpop-nonce')) return false;
  const said: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  return isObject(said) && said['error'] === 'use_dpop_nonce';
}
