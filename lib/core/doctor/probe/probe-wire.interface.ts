/** The headers of a response, with lower-case names. */
export type ResponseHeaders = { readonly [name: string]: string | undefined };

/** A request to send. */
export interface ProbeRequest {
  readonly method: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string | undefined;
  /** How long it may last. @default the timeout of the examination */
  readonly timeoutMs?: number;
  /** Returns whether the body received so far is enough; without it, the whole body is read. */
  readonly isEnough?: (body: string, headers: ResponseHeaders) => boolean;
}

/** The response to a request. */
export interface ProbeResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: string;
  /** Whether the body ended, or was enough, within the time and size limits. */
  readonly isComplete: boolean;
  /** How many seconds the sender's clock is ahead of this machine's, if it sends a `Date`. */
  readonly aheadSeconds?: number | undefined;
}

/** Many times the size of any document or message here. */
export const LONGEST_BODY_BYTES = 512 * 1024;

/**
 * Sends requests, from Node or from a browser. Responses with any status are returned. Redirects to another origin are
 * not followed, and only the request's own headers are sent. Both methods reject with a `ProbeError` if no response
 * head arrives in time.
 */
export interface ProbeWire {
  /** Sends a request without credentials. */
  readonly send: (url: URL, probe: ProbeRequest) => Promise<ProbeResponse>;
  /** Sends a request to the endpoint with the token, and with a proof if the token is bound to a key. */
  readonly sendAuthorized: (url: URL, probe: ProbeRequest) => Promise<ProbeResponse>;
}
