/**
 * Selects callers whose tokens have certain claims. An omitted property matches everything. Set at least one property
 * in addition to `issuer`.
 *
 * @example
 * { subject: 'ada' } // whoever issued the token, and whichever client uses it
 * { subject: 'ada', issuer: 'https://login.example.com', clientId: 'desk-app' }
 * { token: apiKey } // a token or an API key without a subject
 */
export interface CallerSelector {
  /** The token subject (`sub`). @default any subject */
  readonly subject?: string;
  /** The token issuer (`iss`). @default any issuer */
  readonly issuer?: string;
  /** The client that the tokens were issued to. @default any client */
  readonly clientId?: string;
  /** The token itself, for tokens without a subject. It is neither stored nor sent to other processes. @default any token */
  readonly token?: string;
  /** A caller's opaque name, from `McpSessions.list()`. @default any caller */
  readonly identity?: string;
}

/** A session, as listed for the application. */
export interface ListedSession {
  /** Identifies the session to the application, without granting access to it. */
  readonly key: string;
  /** The session's owner; absent if it was opened without a token. */
  readonly caller?: ListedCaller;
  /** The client that the token was issued to. */
  readonly clientId?: string;
  /** The name and version that the client reports. */
  readonly client?: { readonly name: string; readonly version: string };
  /** The protocol revision. */
  readonly revision: string;
  /** An anonymous caller's address; for IPv6, only the first 64 bits. */
  readonly address?: string;
  readonly since: Date;
  readonly lastActive: Date;
  /** Whether a client reads one of its streams. */
  readonly isRead: boolean;
  /** Whether a call runs in it. */
  readonly isRunning: boolean;
}

/** A session's owner, which also selects the owner's other sessions. */
export interface ListedCaller {
  /** The caller's opaque name. */
  readonly identity: string;
  readonly subject?: string;
  readonly issuer?: string;
}

/** The items that `McpSessions.endAll()` ended, in one or more processes. */
export interface EndedOfCaller {
  readonly sessions: number;
  /** Requests and streams without a session. */
  readonly streams: number;
  readonly tasks: number;
}

/** A result from several processes. */
export interface ClusterAnswer {
  /** Whether every process responded in time. If not, the result may be incomplete. */
  readonly isComplete: boolean;
}

/** The number of sessions. */
export interface SessionCount extends ClusterAnswer {
  readonly sessions: number;
  /**
   * Whether the count is exact. If one of several processes has 10,000 sessions or more, the count is an estimate,
   * within a few percent.
   */
  readonly isExact: boolean;
}

/** The sessions that were found. */
export interface SessionList extends ClusterAnswer {
  /** The most recently used first. */
  readonly sessions: readonly ListedSession[];
  /** Whether there are more sessions than requested. */
  readonly hasMore: boolean;
}

/** How many of a caller's sessions, streams and tasks were ended. */
export interface CallerEnded extends ClusterAnswer, EndedOfCaller {}

/** Options of `McpSessions.endAll()`. */
export interface EndAllOptions {
  /** Whether to cancel the caller's tasks too. @default false */
  readonly tasks?: boolean;
}
