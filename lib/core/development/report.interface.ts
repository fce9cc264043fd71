/** The kinds of entries that a server offers, in the order of the report. */
export const OFFER_KINDS = ['tool', 'resource', 'template', 'prompt', 'app', 'skill', 'event'] as const;

export type OfferKind = (typeof OFFER_KINDS)[number];

/** One thing that a server offers. */
export interface OfferedEntry {
  readonly kind: OfferKind;
  /** Its name, URI or URI template. */
  readonly name: string;
  /** A digest of each member of its definition, which shows what changed. */
  readonly parts: Readonly<Record<string, string>>;
}

/** Where a server is reached. */
export interface OfferedEndpoint {
  /** Where the application's HTTP server listens; absent if that is a socket in the file system. */
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly isSecure: boolean;
  readonly path: string;
  /** Absent if HTTP+SSE is not served. */
  readonly ssePath?: string | undefined;
  readonly revisions: readonly string[];
  readonly needsToken: boolean;
  /** Whether a browser gets a page there. */
  readonly hasExplorer: boolean;
}

/** What a server offers, as it is now. */
export interface OfferReport {
  readonly type: 'offer';
  /** The key of the server in its application. */
  readonly server: string;
  /** Absent if the application does not listen. */
  readonly endpoint?: OfferedEndpoint | undefined;
  readonly entries: readonly OfferedEntry[];
}

/** An operation of a client that is over. */
export interface CallReport {
  readonly type: 'call';
  readonly server: string;
  /** What it is: `request`, `task` or `question`. */
  readonly event: string;
  readonly method?: string | undefined;
  readonly target?: string | undefined;
  /** The subject of the token. */
  readonly subject?: string | undefined;
  /** The client: the name that it gives, or else the client of the token. */
  readonly client?: string | undefined;
  readonly address?: string | undefined;
  readonly outcome: string;
  readonly reason?: string | undefined;
  readonly errorCode?: number | undefined;
  readonly durationMs: number;
}

/** Something that was thrown. */
export interface FailureReport {
  readonly type: 'failure';
  /** Absent if it is no server's. */
  readonly server?: string | undefined;
  readonly method?: string | undefined;
  readonly target?: string | undefined;
  readonly name: string;
  readonly message: string;
  readonly stack: string;
}

/** Reports that were left out, since they came faster than they were read. */
export interface LossReport {
  readonly type: 'loss';
  readonly calls: number;
}

/** What an application reports to `nestjs-mcp-cli dev`. */
export type DevelopmentReport = OfferReport | CallReport | FailureReport | LossReport;

/** What the application that begins to report says of itself. */
export interface ReporterFacts {
  readonly pid: number;
  /** The folder of this package, as the application has it. */
  readonly packageRoot: string;
}

/** The answer to the first report. */
export interface ReporterWelcome {
  /** Whether the application ran before: clients may have come to know it then. */
  readonly isRestart: boolean;
}
