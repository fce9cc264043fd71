/** A request to an authorization server. {@link ClientHttp} decides about redirects and time-outs. */
export interface ClientRequest {
  readonly method?: string;
  readonly headers?: NonNullable<RequestInit['headers']>;
  readonly body?: NonNullable<RequestInit['body']> | null;
  readonly signal?: AbortSignal | null | undefined;
}

/**
 * Sends one OAuth request, and resolves when the whole answer has arrived. The size and the time of the answer are
 * limited. A redirect is returned, not followed.
 *
 * You can give it as `customFetch` to `oauth4webapi`, along with `allowInsecureRequests`: it refuses insecure URLs itself.
 *
 * @throws {InsecureEndpointError} if a URL is not secure, so that others could read what is sent
 * @throws {PrivateAddressError} if a URL leads to this machine or its network from farther away
 * @throws {NoAnswerError} if there is no whole answer in time
 */
export type ClientHttp = (url: string | URL, request?: ClientRequest) => Promise<Response>;
