import type { ClientHttp } from '../http/client-http.interface.js';
import type { DpopProof } from './dpop-proof.js';

/**
 * Creates what sends requests to a token endpoint. Each request carries a proof of the key to which the tokens will be bound.
 * If an answer names a nonce, the next proof has it.
 *
 * @see RFC 9449 §5, §8
 */
export function createProvingHttp(http: ClientHttp, proof: DpopProof): ClientHttp {
  return async (url, request = {}) => {
    const target = String(url);
    const headers = new Headers(request.headers);
    headers.set('dpop', await proof.sign({ method: request.method ?? 'GET', url: target }));
    const response = await http(target, { ...request, headers });
    proof.heedAnswer(target, response.headers);
    return response;
  };
}
