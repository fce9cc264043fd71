/**
 * Names a caller by what its tokens say. What is left out may be anything; one member besides `issuer` has to be there.
 *
 * @example
 * { subject: 'ada' } // whoever issued the token, and whichever client uses it
 * { subject: 'ada', issuer: 'https://login.example.com', clientId: 'desk-app' }
 * { token: apiKey } // a token, or an API key, that names nobody
 */
export interface CallerSelector {
  /** Whom the tokens stand for (`sub`). @default anybody */
  readonly subject?: string;
  /** Who issued the tokens (`iss`). @default whoever did */
  readonly issuer?: string;
  /** The client that the tokens were issued to. @default any client */
  readonly clientId?: string;
  /** The token itself, if it names no subject. It is neither kept nor sent to other processes. @default any token */
  readonly token?: string;
  /** Stands for a caller, as `McpSessions.list()` gives it. @default any caller */
  readonly identity?: string;
}

/** A session as an application sees it from outside. */
export interface ListedSession {
  /** Names the session to the application; it opens nothing. */
  readonly key: string;
  /** Whose it is; absent if nobody brought a token. */
  readonly caller?: ListedCaller;
  /** The client that the token was issued to. */
  readonly clientId?: string;
  /** What the client says that it is. */
  readonly client?: { readonly name: string; readonly version: string };
  /** The protocol revision. */
  readonly revision: string;
  /** Where a caller without a token is; of an IPv6 address the first 64 bits. */
  readonly address?: string;
  readonly since: Date;
  readonly lastActive: Date;
  /** Whether one of its streams is read. */
  readonly isRead: boolean;
  /** Whether a call runs in it. */
  readonly isRunning: boolean;
}

/** Whose a session is: a selector for what else is theirs. */
export interface ListedCaller {
  /** Stands for the caller, and says nothing of them. */
  readonly identity: string;
  readonly subject?: string;
  readonly issuer?: string;
}

/** How much of a caller ended. */
export interface EndedOfCaller {
  readonly sessions: number;
  /** Requests and streams that belong to no session. */
  readonly streams: number;
  readonly tasks: number;
}

/** What several processes said together. */
export interface ClusterAnswer {
  /** Whether every process answered in time: if not, there may be more. */
  readonly isComplete: boolean;
}

/** How many sessions there are. */
export interface SessionCount extends ClusterAnswer {
  readonly sessions: number;
  /** Whether each session was counted. If one of several processes has 10,000 sessions or more, the figure is an estimate, within a few per cent. */
  readonly isExact: boolean;
}

/** Sessions that were found. */
export interface SessionList extends ClusterAnswer {
  /** The latest used first. */
  readonly sessions: readonly ListedSession[];
  /** Whether there are more than were asked for. */
  readonly hasMore: boolean;
}

/** What of a caller ended. */
export interface CallerEnded extends ClusterAnswer, EndedOfCaller {}

/** What is ended of a caller. */
export interface EndAllOptions {
  /** Cancels the caller's tasks too. @default false */
  readonly tasks?: boolean;
}
