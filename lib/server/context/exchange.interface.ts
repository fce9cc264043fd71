/** What a token of another service is wanted for. */
export interface WantedToken {
  /** By what name the authorization server knows the service. @default left to the authorization server */
  readonly audience?: string | undefined;
  /** The URL of the service (RFC 8707). @default left to the authorization server */
  readonly resource?: string | undefined;
  /** What the token has to allow. @default left to the authorization server */
  readonly scopes?: readonly string[] | undefined;
  /** A token that was got so, and that the service refused: it is not given again but replaced. @default none */
  readonly refusedToken?: string | undefined;
}

/** The call for which a token is exchanged, as the log names it. */
export interface ExchangingCall {
  readonly http?:
    | {
        readonly headers: { readonly [name: string]: string | string[] | undefined };
        readonly request: unknown;
      }
    | undefined;
  readonly session?: { readonly id: string } | undefined;
  readonly method: string;
  readonly params: unknown;
}

/** Exchanges one caller's token for one of another service. */
export type Exchange = (wanted: WantedToken, call?: ExchangingCall) => Promise<string>;
