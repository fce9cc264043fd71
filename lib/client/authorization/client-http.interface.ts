/** A request to an authorization server. {@link ClientHttp} handles redirects and timeouts. */
export interface ClientRequest {
  readonly method?: string;
  readonly headers?: NonNullable<RequestInit['headers']>;
  readonly body?: NonNullable<RequestInit['body']> | null;
  readonly signal?: AbortSignal | null | undefined;
}

/**
 * Sends one OAuth request, and resolves when the complete response has arrived. Its size and duration are limited.
 * Redirects are returned, not followed.
 *
 * You can pass it to `oauth4webapi` as `customFetch`, together with `allowInsecureRequests`: it rejects insecure URLs
 * itself.
 *
 * @throws {InsecureEndpointError} if a URL is not secure, so that others could read what is sent
 * @throws {PrivateAddressError} if a URL points from an outside network to this machine or its network
 * @throws {NoAnswerError} if no complete response arrives in time
 */
export type ClientHttp = (url: string | URL, request?: ClientRequest) => Promise<Response>;
