/** The kinds of entries that a server offers, in the order of the report. */
export const OFFER_KINDS = ['tool', 'resource', 'template', 'prompt', 'app', 'skill', 'event'] as const;

export type OfferKind = (typeof OFFER_KINDS)[number];

/** One entry that a server offers. */
export interface OfferedEntry {
  readonly kind: OfferKind;
  /** Its name, URI or URI template. */
  readonly name: string;
  /** A digest of each property in its definition, to show what changed. */
  readonly parts: Readonly<Record<string, string>>;
}

/** Where a server can be reached. */
export interface OfferedEndpoint {
  /** The host that the application's HTTP server listens on; absent for a Unix domain socket. */
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly isSecure: boolean;
  readonly path: string;
  /** Absent if HTTP+SSE is not served. */
  readonly ssePath?: string | undefined;
  readonly revisions: readonly string[];
  readonly needsToken: boolean;
  /** Whether browsers receive the explorer there. */
  readonly hasExplorer: boolean;
}

/** What a server offers now. */
export interface OfferReport {
  readonly type: 'offer';
  /** The server key in its application. */
  readonly server: string;
  /** Absent if the application does not listen. */
  readonly endpoint?: OfferedEndpoint | undefined;
  readonly entries: readonly OfferedEntry[];
}

/** A client operation that has ended. */
export interface CallReport {
  readonly type: 'call';
  readonly server: string;
  /** Its kind: `request`, `task` or `question`. */
  readonly event: string;
  readonly method?: string | undefined;
  readonly target?: string | undefined;
  /** The token's subject. */
  readonly subject?: string | undefined;
  /** The client: its declared name, or else the token's client. */
  readonly client?: string | undefined;
  readonly address?: string | undefined;
  readonly outcome: string;
  readonly reason?: string | undefined;
  readonly errorCode?: number | undefined;
  readonly durationMs: number;
}

/** An error that was thrown. */
export interface FailureReport {
  readonly type: 'failure';
  /** Absent if no server is involved. */
  readonly server?: string | undefined;
  readonly method?: string | undefined;
  readonly target?: string | undefined;
  readonly name: string;
  readonly message: string;
  readonly stack: string;
}

/** Reports that were dropped because they arrived faster than they were read. */
export interface LossReport {
  readonly type: 'loss';
  readonly calls: number;
}

/** What an application reports to `nestjs-mcp-cli dev`. */
export type DevelopmentReport = OfferReport | CallReport | FailureReport | LossReport;

/** The identity of an application that starts to report. */
export interface ReporterFacts {
  readonly pid: number;
  /** This package's folder in the application. */
  readonly packageRoot: string;
}

/** The response to the first report. */
export interface ReporterReply {
  /** Whether the application has run before, so clients may already know it. */
  readonly isRestart: boolean;
}
