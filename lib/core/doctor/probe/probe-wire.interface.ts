/** The headers of an answer, by their names in lower case. */
export type AnswerHeaders = { readonly [name: string]: string | undefined };

/** A request as it shall go over the wire. */
export interface ProbeRequest {
  readonly method: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string | undefined;
  /** How long it may take; by default as long as any other. */
  readonly timeoutMs?: number;
  /** Tells whether what has come of the body will do; without it, all of the body is read. */
  readonly isEnough?: (body: string, headers: AnswerHeaders) => boolean;
}

/** What came back. */
export interface ProbeAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: string;
  /** Whether the body ended, or was enough, in time and within the bound. */
  readonly isComplete: boolean;
  /** By how many seconds the clock of whoever wrote it is ahead of this machine's, if it says its time. */
  readonly aheadSeconds?: number | undefined;
}

/** Many times what any document or message here has to say. */
export const LONGEST_BODY_BYTES = 512 * 1024;

/**
 * How requests go out: from Node or from a browser. An answer of any status is an answer. No redirect to another origin is followed, and
 * nothing is sent except what the request has. Both reject with a `ProbeError` if the head of an answer does not come in time.
 */
export interface ProbeWire {
  /** Sends a request as anybody would. */
  readonly send: (url: URL, probe: ProbeRequest) => Promise<ProbeAnswer>;
  /** Sends a request to the endpoint with the token, proven if the token is bound to a key. */
  readonly sendAuthorized: (url: URL, probe: ProbeRequest) => Promise<ProbeAnswer>;
}
