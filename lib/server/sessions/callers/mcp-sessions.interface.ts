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
  /** The subject of the tokens (`sub`). @default any subject */
  readonly subject?: string;
  /** The issuer of the tokens (`iss`). @default any issuer */
  readonly issuer?: string;
  /** The client that the tokens were issued to. @default any client */
  readonly clientId?: string;
  /** The token itself, for tokens without a subject. It is neither stored nor sent to other processes. @default any token */
  readonly token?: string;
  /** An opaque name of a caller, from `McpSessions.list()`. @default any caller */
  readonly identity?: string;
}

/** A session, as the application sees it from outside. */
export interface ListedSession {
  /** Identifies the session to the application. It does not grant access to the session. */
  readonly key: string;
  /** The owner of the session; absent if it was opened without a token. */
  readonly caller?: ListedCaller;
  /** The client that the token was issued to. */
  readonly clientId?: string;
  /** The client's own name and version. */
  readonly client?: { readonly name: string; readonly version: string };
  /** The protocol revision. */
  readonly revision: string;
  /** The address of a caller without a token; for IPv6, its first 64 bits. */
  readonly address?: string;
  readonly since: Date;
  readonly lastActive: Date;
  /** Whether a client reads one of its streams. */
  readonly isRead: boolean;
  /** Whether a call runs in it. */
  readonly isRunning: boolean;
}

/** The owner of a session, which also selects the owner's other sessions. */
export interface ListedCaller {
  /** An opaque name of the caller. */
  readonly identity: string;
  readonly subject?: string;
  readonly issuer?: string;
}

/** What `McpSessions.endAll()` ended in one process or more. */
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

/** How many sessions there are. */
export interface SessionCount extends ClusterAnswer {
  readonly sessions: number;
  /**
   * Whether the count is exact. If one of several processes has 10,000 sessions or more, the count is an estimate,
   * within a few per cent.
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
  /** Cancels the caller's tasks too. @default false */
  readonly tasks?: boolean;
}
