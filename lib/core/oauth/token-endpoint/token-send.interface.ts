/** Sends one request and gives the whole answer; it decides about time, size and redirects. */
export type TokenSend = (url: string, request: TokenSendRequest) => Promise<Response>;

/** A request of the form that token endpoints take. */
export interface TokenSendRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: URLSearchParams;
}
