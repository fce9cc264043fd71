/**
 * Takes the user to the authorization server, and returns the URL at which the user came back.
 *
 * @example
 * const authorizer: Authorizer = {
 *   redirectUri: 'https://app.example.com/callback',
 *   authorize: async (url) => pendingLogins.send(user, url),
 * };
 */
export interface Authorizer {
  /** Where the authorization server sends the user back to. */
  readonly redirectUri: string;

  /**
   * A `redirectUri` that only this login's issuer uses. Clients that register themselves use it.
   *
   * @default redirectUri
   * @see RFC 9700 §4.4.2.2
   */
  readonly issuerRedirectUri?: string | undefined;

  /**
   * Lets the user open a URL, and returns the URL at which the user comes back, with its query. The caller checks what that URL
   * says.
   */
  authorize(url: URL, options?: AuthorizeOptions): Promise<URL>;

  /** Is called when the login is over, well or not. */
  close?(): Promise<void>;
}

/** How long a login lasts. */
export interface AuthorizeOptions {
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined;
}
