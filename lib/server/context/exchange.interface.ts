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

/** Exchanges one caller's token for one of another service. */
export type Exchange = (wanted: WantedToken) => Promise<string>;
