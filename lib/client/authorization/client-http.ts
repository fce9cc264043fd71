import { callable, flag, milliseconds, nonEmptyString } from '../../core/checks/option-checks.js';
import { optionGroup, type Rows } from '../../core/checks/option-group.js';
import { type Resolve, SsrfGuard } from '../../core/network/ssrf-guard.js';
import { isSecureUrl } from '../../core/oauth/secure-url.js';
import { explainNoResponse, isTransientFailure, readWholeResponse } from '../../core/oauth/whole-response.js';
import { untilAborted } from '../../core/async/promises.js';
import { ClientAuthError, InsecureEndpointError, NoAnswerError, PrivateAddressError } from './errors.js';
import type { ClientHttp } from './client-http.interface.js';
import { insecureHosts } from './source-options.js';

/** Options for sending OAuth requests. */
export interface ClientHttpOptions {
  /** The server whose metadata names the URLs. Absent for configured URLs, which are trusted. */
  readonly serverUrl?: string | undefined;
  /** Sends requests and resolves names. @default the global `fetch` */
  readonly fetch?: typeof fetch | undefined;
  /** A request's timeout, in milliseconds, until the complete response has arrived. @default 10_000 */
  readonly timeoutMs?: number | undefined;
  /**
   * Hosts that may receive tokens and secrets over plain `http`, such as `keycloak` in a container network. Anyone on
   * the network path can read them.
   * @default []
   */
  readonly insecureHosts?: readonly string[] | undefined;
  /** Whether a public server may point to addresses in a private network or on this machine. @default false */
  readonly allowPrivateAddresses?: boolean | undefined;
}

/** The option rows that token sources share. */
export const HTTP_ROWS: Rows<Omit<ClientHttpOptions, 'serverUrl'>, 'fetch'> = {
  fetch: callable,
  timeoutMs: [milliseconds, 10_000],
  insecureHosts: [insecureHosts, []],
  allowPrivateAddresses: [flag, false],
};

const CLIENT_HTTP = optionGroup<ClientHttpOptions, 'serverUrl' | 'fetch'>({
  serverUrl: nonEmptyString,
  ...HTTP_ROWS,
});

/**
 * Creates a function that sends OAuth requests.
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
      await guard.assertReachable(target, signal);
      // Browsers reject a `fetch` that is called as a method of "options".
      const send = options.fetch ?? fetch;
      const response = await send(target, { ...request, redirect: 'manual', signal });
      return await readWholeResponse(response);
    } catch (error) {
      if (error instanceof ClientAuthError || request.signal?.aborted === true) throw error;
      const problem = deadline.aborted ? `did not respond within ${timeoutMs} ms` : explainNoResponse(error);
      const isPassing = deadline.aborted || isTransientFailure(error);
      throw new NoAnswerError(target, problem, { isPassing, cause: error });
    }
  };
}

/** The server to guard against, and the name resolver. */
export interface GuardSettings {
  readonly serverUrl?: string | undefined;
  readonly fetch?: typeof fetch | undefined;
  readonly allowPrivateAddresses?: boolean | undefined;
}

/** Protects against SSRF: a server must not be able to make its client call hosts that only the client can reach. */
export class AddressGuard {
  readonly #guard: SsrfGuard | undefined;

  constructor(
    private readonly settings: GuardSettings,
    resolve?: Resolve,
  ) {
    const { serverUrl, allowPrivateAddresses = false } = settings;
    if (serverUrl === undefined || allowPrivateAddresses) return;
    // A custom `fetch` resolves names itself.
    this.#guard = new SsrfGuard(new URL(serverUrl), settings.fetch === undefined ? resolve : resolveNothing);
  }

  /** @throws {PrivateAddressError} if a URL points closer to the client than the server itself */
  async assertReachable(url: string, signal?: AbortSignal): Promise<void> {
    if (this.#guard === undefined) return;
    // DNS lookups cannot be aborted.
    const isCloser = await untilAborted(this.#guard.isCloser(new URL(url)), signal);
    if (isCloser) throw new PrivateAddressError(url, this.settings.serverUrl ?? '');
  }
}

async function resolveNothing(): Promise<readonly string[]> {
  return [];
}
