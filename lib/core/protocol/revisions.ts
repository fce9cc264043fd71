import { ErrorCode } from './error-codes.js';

/** The definitions of one protocol revision. Code that depends on the revision reads its row, and never compares version strings. */
export interface Revision {
  /** The published date of the revision. */
  readonly version: string;
  /** `handshake`: initialize and sessions. `perRequest`: every request declares its version in `_meta`. */
  readonly kind: 'handshake' | 'perRequest';
  /** Requests that a client may send. */
  readonly methods: ReadonlySet<string>;
  /** Whether a JSON array of messages is accepted. */
  readonly batching: boolean;
  /** Whether an event stream starts with an event that has an id but no content. */
  readonly primingEvents: boolean;
  /** The code for a missing resource. */
  readonly resourceNotFoundCode: number;
  /** The HTTP status for an unknown method. */
  readonly methodNotFoundStatus: number;
  /** The properties and values that the revision defines and an encoder may emit. */
  readonly defines: RevisionMembers;
}

/** The properties that not every revision defines. */
export interface RevisionMembers {
  readonly toolAnnotations: boolean;
  readonly title: boolean;
  readonly outputSchema: boolean;
  readonly structuredContent: 'none' | 'object' | 'any';
  readonly definitionMeta: boolean;
  readonly lastModified: boolean;
  readonly icons: boolean;
  readonly implementationDescription: boolean;
  readonly taskExecution: boolean;
  readonly audio: boolean;
  readonly resourceLink: boolean;
  readonly completionsCapability: boolean;
  readonly tasksCapability: boolean;
  readonly progressMessage: boolean;
  readonly elicitation: boolean;
  readonly urlElicitation: boolean;
  readonly elicitationId: boolean;
  /** Whether all form properties may have a default. Boolean properties may have one in every revision. */
  readonly formDefaults: boolean;
  /** Whether form choices have titles. In earlier revisions, their values have names instead. */
  readonly titledChoices: boolean;
  readonly multipleChoices: boolean;
  readonly samplingTools: boolean;
  /** Whether a message to a model may have several content blocks. */
  readonly samplingContentLists: boolean;
  readonly resultType: boolean;
  readonly cacheHints: boolean;
  readonly resultServerInfo: boolean;
}

const HANDSHAKE_METHODS = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
] as const;

const PER_REQUEST_METHODS = [
  'server/discover',
  'subscriptions/listen',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
] as const;

const november2024: Revision = {
  version: '2024-11-05',
  kind: 'handshake',
  methods: new Set(HANDSHAKE_METHODS),
  batching: false,
  primingEvents: false,
  resourceNotFoundCode: ErrorCode.ResourceNotFound,
  methodNotFoundStatus: 200,
  defines: {
    toolAnnotations: false,
    title: false,
    outputSchema: false,
    structuredContent: 'none',
    definitionMeta: false,
    lastModified: false,
    icons: false,
    implementationDescription: false,
    taskExecution: false,
    audio: false,
    resourceLink: false,
    completionsCapability: false,
    tasksCapability: false,
    progressMessage: false,
    elicitation: false,
    urlElicitation: false,
    elicitationId: false,
    formDefaults: false,
    titledChoices: false,
    multipleChoices: false,
    samplingTools: false,
    samplingContentLists: false,
    resultType: false,
    cacheHints: false,
    resultServerInfo: false,
  },
};

const march2025: Revision = {
  ...november2024,
  version: '2025-03-26',
  batching: true,
  defines: {
    ...november2024.defines,
    toolAnnotations: true,
    audio: true,
    completionsCapability: true,
    progressMessage: true,
  },
};

const june2025: Revision = {
  ...march2025,
  version: '2025-06-18',
  batching: false,
  defines: {
    ...march2025.defines,
    title: true,
    outputSchema: true,
    structuredContent: 'object',
    definitionMeta: true,
    lastModified: true,
    resourceLink: true,
    elicitation: true,
  },
};

const november2025: Revision = {
  ...june2025,
  version: '2025-11-25',
  primingEvents: true,
  defines: {
    ...june2025.defines,
    urlElicitation: true,
    elicitationId: true,
    formDefaults: true,
    titledChoices: true,
    multipleChoices: true,
    samplingTools: true,
    samplingContentLists: true,
    icons: true,
    implementationDescription: true,
    taskExecution: true,
    tasksCapability: true,
  },
};

const july2026: Revision = {
  ...november2025,
  version: '2026-07-28',
  kind: 'perRequest',
  methods: new Set(PER_REQUEST_METHODS),
  primingEvents: false,
  resourceNotFoundCode: ErrorCode.InvalidParams,
  methodNotFoundStatus: 404,
  defines: {
    ...november2025.defines,
    structuredContent: 'any',
    elicitationId: false,
    taskExecution: false,
    tasksCapability: false,
    resultType: true,
    cacheHints: true,
    resultServerInfo: true,
  },
};

/** Every supported revision, oldest first. */
export const REVISIONS: readonly Revision[] = [november2024, march2025, june2025, november2025, july2026];

/** The newest revision. It defines every input request. */
export const NEWEST_REVISION = july2026;

/** The newest revision with initialization. The server offers it to clients that request an unsupported version. */
export const NEWEST_HANDSHAKE_REVISION = november2025;

/**
 * The revision of a client that does not name a version (MCP 2025-06-18 basic/transports, "Protocol Version Header").
 */
export const ASSUMED_REVISION = march2025;

/** The versions that a request may name. `server/discover` and -32022 list them. */
export const PER_REQUEST_VERSIONS: readonly string[] = REVISIONS.filter(
  (revision) => revision.kind === 'perRequest',
).map((revision) => revision.version);

const byVersion: ReadonlyMap<string, Revision> = new Map(
  REVISIONS.map((revision) => [revision.version, revision]),
);

/** Finds a version's row. */
export function findRevision(version: string): Revision | undefined {
  return byVersion.get(version);
}

/** Returns whether a string is a stateless version, either a supported revision or a later one. */
export function isPerRequestVersion(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && text > NEWEST_HANDSHAKE_REVISION.version;
}

/**
 * Selects the revision for an initialization: the requested one if it is supported, or else the newest (MCP
 * basic/lifecycle).
 */
export function selectHandshakeRevision(requested: string): Revision {
  const revision = byVersion.get(requested);
  return revision?.kind === 'handshake' ? revision : NEWEST_HANDSHAKE_REVISION;
}
