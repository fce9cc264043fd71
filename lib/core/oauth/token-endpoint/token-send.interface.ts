/** Sends one request and returns the whole response, within its limits of time, size and redirects. */
export type TokenSend = (url: string, request: TokenSendRequest) => Promise<Response>;

/** A form request to a token endpoint. */
export interface TokenSendRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: URLSearchParams;
}
