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
