/** One event of an authorization server, without any secret. A property that is unknown or does not apply is absent. */
export interface AuthorizationEvent {
  readonly type:
    | 'login_begun'
    | 'login'
    | 'consent'
    | 'registration'
    | 'token_issue'
    | 'token_refresh'
    | 'token_exchange'
    | 'token_revocation';
  /** `error` means that the identity provider or the authorization server failed. */
  readonly outcome: 'ok' | 'refused' | 'error';
  /** The HTTP request of the browser or the client. */
  readonly http: {
    readonly headers: { readonly [name: string]: string | string[] | undefined };
    readonly request: unknown;
  };
  /** The issuer of the authorization server. */
  readonly issuer: string;
  readonly subject?: string | undefined;
  readonly clientId?: string | undefined;
  /** The URL of the MCP server. */
  readonly resource?: string | undefined;
  /** The user's answer on the consent page. */
  readonly action?: 'accept' | 'decline' | undefined;
  /** The error that the client receives, or what happened. */
  readonly reason?: string | undefined;
}

/** Records the events of an authorization server. */
export interface AuthorizationEventRecorder {
  record(event: AuthorizationEvent): void;
}
