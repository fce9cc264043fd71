/** The token of another server that a client asks for. */
export interface CallerExchange {
  readonly audience?: string | readonly string[] | undefined;
  readonly resource?: string | readonly string[] | undefined;
  readonly scopes?: readonly string[] | undefined;
  /** A token from an earlier exchange that the server refused. A new one replaces it. */
  readonly refusedToken?: string | undefined;
}

/** The caller, as the token names it. */
export interface CallerClaims {
  readonly iss?: string | undefined;
  readonly sub?: string | undefined;
  readonly clientId?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  /** Every other claim. */
  readonly extra?: { readonly [name: string]: unknown } | undefined;
}

/**
 * A caller for whom a client acts. The context of a call is one.
 *
 * @see RFC 8693
 */
export interface McpCaller {
  readonly auth: {
    readonly claims: CallerClaims | undefined;
    /** Exchanges the caller's token for a token of another server. */
    exchange(request: CallerExchange): Promise<string>;
  };
}
