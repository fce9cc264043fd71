/** What is sent to an authorization server; {@link ClientHttp} decides about redirects and time. */
export interface ClientRequest {
  readonly method?: string;
  readonly headers?: NonNullable<RequestInit['headers']>;
  readonly body?: NonNullable<RequestInit['body']> | null;
  readonly signal?: AbortSignal | null | undefined;
}

/**
 * Sends one OAuth request, and resolves when the whole answer has arrived. The size and the time of the answer are bounded. A
 * redirect is returned as it is, and not followed.
 *
 * You can give it as `customFetch` to `oauth4webapi`, along with `allowInsecureRequests`: it refuses insecure URLs itself.
 *
 * @throws {InsecureEndpointError} if a URL is not secure, so that others could read what is sent
 * @throws {PrivateAddressError} if a server leads to an address that is closer to this machine than its own
 * @throws {NoAnswerError} if there is no whole answer in time
 */
export type ClientHttp = (url: string | URL, request?: ClientRequest) => Promise<Response>;
