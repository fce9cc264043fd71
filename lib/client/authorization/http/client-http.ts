import { callable, flag, milliseconds, text } from '../../../core/checks/option-checks.js';
import { optionGroup, type Rows } from '../../../core/checks/option-group.js';
import { isSecureUrl } from '../../../core/oauth/secure-url.js';
import { explainNoAnswer, isPassingFailure, readWhole } from '../../../core/oauth/whole-answer.js';
import { ClientAuthError, InsecureEndpointError, NoAnswerError } from '../errors/errors.js';
import { insecureHosts } from '../source-options.js';
import { AddressGuard } from './address-guard.js';
import type { ClientHttp } from './client-http.interface.js';

/** Options for sending OAuth requests. */
export interface ClientHttpOptions {
  /** The server whose metadata names the URLs. Absent for configured URLs, which are trusted. */
  readonly serverUrl?: string | undefined;
  /** Sends the requests, and resolves names. @default the global `fetch` */
  readonly fetch?: typeof fetch | undefined;
  /** Milliseconds within which the whole answer must arrive. @default 10_000 */
  readonly timeoutMs?: number | undefined;
  /**
   * Hosts that may get tokens and secrets by plain `http`, such as `keycloak` in a network of containers. Anyone on the
   * network path can read them.
   * @default []
   */
  readonly insecureHosts?: readonly string[] | undefined;
  /** Whether a public server may lead to addresses in a private network or on this machine. @default false */
  readonly allowPrivateAddresses?: boolean | undefined;
}

/** The rows of what sources of tokens take of these. */
export const HTTP_ROWS: Rows<Omit<ClientHttpOptions, 'serverUrl'>, 'fetch'> = {
  fetch: callable,
  timeoutMs: [milliseconds, 10_000],
  insecureHosts: [insecureHosts, []],
  allowPrivateAddresses: [flag, false],
};

const CLIENT_HTTP = optionGroup<ClientHttpOptions, 'serverUrl' | 'fetch'>({ serverUrl: text, ...HTTP_ROWS });

/**
 * Creates the function that sends the requests of OAuth.
 *
 * @example
 * const http = createClientHttp({ timeoutMs: 5_000 });
 * const answer = await http('https://login.example.com/.well-known/oauth-authorization-server');
 */
export function createClientHttp(options: ClientHttpOptions = {}): ClientHttp {
  const { timeoutMs, insecureHosts: hosts } = CLIENT_HTTP.build(options);
  const guard = new AddressGuard(options);
  return async (url, request = {}) => {
    const target = String(url);
    if (!isSecureUrl(target, hosts)) throw new InsecureEndpointError(target, 'endpoint');
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = request.signal ? AbortSignal.any([request.signal, deadline]) : deadline;
    try {
      await guard.assertInReach(target, signal);
      // A browser's `fetch` fails if it is called as a method of "options".
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
