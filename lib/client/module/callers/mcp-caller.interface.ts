/** What a token is to be got for. */
export interface CallerExchange {
  readonly audience?: string | undefined;
  readonly resource?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  /** A token that was got so, and that the server refused: another one is wanted. */
  readonly refusedToken?: string | undefined;
}

/** What the token says of the one who calls. */
export interface CallerClaims {
  readonly iss?: string | undefined;
  readonly sub?: string | undefined;
  readonly clientId?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  /** Every other claim. */
  readonly extra?: { readonly [name: string]: unknown } | undefined;
}

/**
 * Somebody for whom a client acts: the context of a call has it all.
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
