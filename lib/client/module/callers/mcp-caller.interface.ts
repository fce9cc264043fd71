/** The token that a client needs. */
export interface CallerExchange {
  readonly audience?: string | undefined;
  readonly resource?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  /** A token from an earlier exchange that the server refused: another one is needed. */
  readonly refusedToken?: string | undefined;
}

/** What the token says of the caller. */
export interface CallerClaims {
  readonly iss?: string | undefined;
  readonly sub?: string | undefined;
  readonly clientId?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  /** Every other claim. */
  readonly extra?: { readonly [name: string]: unknown } | undefined;
}

/**
 * A caller for whom a client acts: give it the context of a call.
 *
 * @see RFC 8693
 */
export interface McpCaller {
  readonly auth: {
    readonly claims: CallerClaims | undefined;
    /** Gets a token for another server in exchange for the caller's. */
    exchange(request: CallerExchange): Promise<string>;
  };
}
