import { isSecureUrl } from '../../../core/oauth/secure-url.js';
import { explainNoAnswer, isPassingFailure, readWhole } from '../../../core/oauth/whole-answer.js';
import { ClientAuthError } from '../errors/client-auth.error.js';
import { InsecureEndpointError } from '../errors/insecure-endpoint.error.js';
import { NoAnswerError } from '../errors/no-answer.error.js';
import { AddressGuard } from './address-guard.js';

/** What is sent to an authorization server; {@link ClientHttp} decides about redirects and time. */
export interface ClientRequest {
  readonly method?: string;
  readonly headers?: NonNullable<RequestInit['headers']>;
  readonly body?: NonNullable<RequestInit['body']> | null;
  readonly signal?: AbortSignal | null | undefined;
}

/**
 * Sends one request of OAuth. The answer is whole when it is given: everything about it is bounded. An answer that redirects
 * is given as it is, and nothing is sent to where it leads.
 *
 * It can stand as `customFetch` of `oauth4webapi`, along with `allowInsecureRequests`: it refuses what is insecure itself.
 *
 * @throws {InsecureEndpointError} if others could read along
 * @throws {PrivateAddressError} if a server leads to an address that is closer than its own
 * @throws {NoAnswerError} if there is no whole answer in time
 */
export type ClientHttp = (url: string | URL, request?: ClientRequest) => Promise<Response>;

/** How requests of OAuth are sent. */
export interface ClientHttpOptions {
  /** The server whose metadata names the URLs; absent for configured URLs, which are trusted. */
  readonly serverUrl?: string | undefined;
  /** Sends the requests, and resolves names. @default the global `fetch` */
  readonly fetch?: typeof fetch | undefined;
  /** Milliseconds until the last byte of an answer has to be there. @default 10_000 */
  readonly timeoutMs?: number | undefined;
  /** Hosts that tokens and secrets may be sent to by plain `http`, such as `keycloak` in a network of containers: everybody on the way can read them. @default [] */
  readonly insecureHosts?: readonly string[] | undefined;
  /** Whether a public server may lead to addresses of a private network and of this machine. @default false */
  readonly allowPrivateAddresses?: boolean | undefined;
}

const TIMEOUT_MS = 10_000;

/** Creates what sends the requests of OAuth. */
export function createClientHttp(options: ClientHttpOptions = {}): ClientHttp {
  const { timeoutMs = TIMEOUT_MS } = options;
  const guard = new AddressGuard(options);
  return async (url, request = {}) => {
    const target = String(url);
    if (!isSecureUrl(target, options.insecureHosts)) throw new InsecureEndpointError(target, 'endpoint');
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = request.signal ? AbortSignal.any([request.signal, deadline]) : deadline;
    try {
      await guard.assertInReach(target, signal);
      // As a method of "options" it would be called with another "this" than a browser's takes.
      const send = options.fetch ?? fetch;
      const response = await send(target, { ...request, redirect: 'manual', signal });
      return await readWhole(response);
    } catch (error) {
      if (error instanceof ClientAuthError || request.signal?.aborted === true) throw error;
      const fault = deadline.aborted ? `did not answer within ${timeoutMs} ms` : explainNoAnswer(error);
      const isPassing = deadline.aborted || isPassingFailure(error);
      throw new NoAnswerError(target, fault, { isPassing, cause: error });
    }
  };
}
