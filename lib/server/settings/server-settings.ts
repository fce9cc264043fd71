import { getHeapStatistics } from 'node:v8';
import { isLoopbackUrl } from '../../core/oauth/secure-url.js';
import type { Implementation } from '../../core/protocol/definitions.js';
import type { CacheHint } from '../../core/protocol/results.js';
import { Keyring } from '../../core/sealing/keyring.js';
import { isTelemetryWanted } from '../../core/telemetry/is-telemetry-wanted.js';
import type { TelemetryOptions } from '../../core/telemetry/telemetry-options.interface.js';
import type { ArgumentsOptions } from './arguments-options.interface.js';
import type { AuditSettings } from './audit-options.interface.js';
import { buildAuditSettings } from './audit-settings.js';
import { buildAuthSettings, type AuthSettings } from './auth-settings.js';
import { buildGlobalEnhancers, type GlobalEnhancersSettings } from './build-global-enhancers.js';
import { buildStateSettings } from './build-state-settings.js';
import { buildCatalogueSettings, type CatalogueSettings } from './catalogue-settings.js';
import type { Cluster } from './cluster/cluster.interface.js';
import type { ExplorerOptions } from './explorer-options.interface.js';
import { buildAppsSettings, type AppsSettings } from './extensions/apps-settings.js';
import { buildEventsSettings, type EventsSettings } from './extensions/events-settings.js';
import { buildSkillsSettings, type SkillsSettings } from './extensions/skills-settings.js';
import { buildTasksSettings, type TasksSettings } from './extensions/tasks-settings.js';
import { isStillAccepted } from './is-still-accepted.js';
import type { LimitOptions, MemoryOptions } from './limit-options.interface.js';
import type {
  CacheHints,
  CorsOptions,
  DeclaredCapabilities,
  McpOptions,
  ReverseCallOptions,
  SessionOptions,
  ShutdownOptions,
  SseOptions,
  StreamOptions,
} from './mcp-options.interface.js';
import { onlyGiven } from './only-given.js';
import type { ServerCardOptions } from './server-card-options.interface.js';
import type { StateOptions } from './state-options.interface.js';
import type { ThrottleOptions } from './throttle-options.interface.js';

/** Estimates are high, and requests take as much again while they are parsed and answered: the rest of the heap is for that. */
const HEAP_SHARE = 0.25;

/** Strangers at one address have one of so many parts. */
const ADDRESS_SHARE = 10;

/** The memory of a request in addition to its text. */
const REQUEST_BYTES = 65_536;

/** Fills every default of the bounds of memory in. */
function buildMemorySettings({ memory, auth }: McpOptions, bodyBytes: number): Required<MemoryOptions> {
  const given = onlyGiven(memory);
  const maximumBytes = given.maximumBytes ?? Math.floor(getHeapStatistics().heap_size_limit * HEAP_SHARE);
  const maximumBytesOfStrangers =
    given.maximumBytesOfStrangers ?? (auth ? Math.floor(maximumBytes / 2) : maximumBytes);
  return {
    maximumBytes,
    maximumBytesOfStrangers,
    maximumBytesPerIdentity: given.maximumBytesPerIdentity ?? Math.floor(maximumBytes / 4),
    maximumBytesPerAddress:
      given.maximumBytesPerAddress ?? selectAddressShare(maximumBytesOfStrangers, bodyBytes),
  };
}

/** With little memory the part is larger, so that the longest body finds room in it: a text takes up to two bytes for one. */
function selectAddressShare(ofStrangers: number, bodyBytes: number): number {
  const longest = Math.min(2 * bodyBytes + REQUEST_BYTES, ofStrangers / 2);
  return Math.floor(Math.max(ofStrangers / ADDRESS_SHARE, longest));
}

/** Who sees the messages of unexpected errors: everybody, nobody, or callers on this machine. */
type ExposeErrors = boolean | 'local';

/** Environments in which applications answer as they do in production. Tests assert what callers get there. */
const AS_IN_PRODUCTION: ReadonlySet<string | undefined> = new Set(['production', 'test']);

/** Selects the default. Clients of a server with a public URL come by a proxy, which may look like this machine. */
function selectExposure(publicUrl: string | undefined): ExposeErrors {
  if (AS_IN_PRODUCTION.has(process.env['NODE_ENV'])) return false;
  return publicUrl === undefined || isLoopbackUrl(publicUrl) ? 'local' : false;
}

/** The options of a server with every default filled in. */
export interface ServerSettings extends ServerCardSettings, ExplorerSettings {
  readonly serverInfo: Implementation;
  readonly instructions?: string;
  readonly mcpPath: string;
  readonly useGlobalPrefix: boolean;
  readonly globalEnhancers: GlobalEnhancersSettings;
  readonly exposeErrors: ExposeErrors;
  readonly capabilities: DeclaredCapabilities;
  readonly stateless: boolean;
  readonly catalogue: CatalogueSettings;
  /** Absent if that transport is not served. */
  readonly sse?: Required<SseOptions>;
  readonly arguments: Required<ArgumentsOptions>;
  readonly pageSize: number;
  readonly cache: Required<CacheHints>;
  readonly callTimeoutMs?: number;
  readonly secrets: readonly string[];
  /** What `secret` gives for this server alone; empty without one. */
  readonly keyring: Keyring;
  readonly acceptFormerFormatUntil?: string;
  readonly reverseCalls: Required<ReverseCallOptions>;
  readonly sessions: Required<SessionOptions>;
  readonly streams: Required<StreamOptions>;
  readonly shutdown: Required<ShutdownOptions>;
  readonly limits: Required<LimitOptions>;
  /** Absent if handlers with `@Throttle()` alone are limited. */
  readonly throttle?: Required<ThrottleOptions>;
  readonly memory: Required<MemoryOptions>;
  readonly state: Required<StateOptions>;
  readonly publicUrl?: URL;
  readonly allowedOrigins: readonly string[];
  readonly allowedHosts?: readonly string[];
  readonly cors?: Required<CorsOptions>;
  /** Absent if no tool runs as a task. */
  readonly tasks?: TasksSettings;
  /** Absent if the server is open. */
  readonly auth?: AuthSettings;
  /** Whether the application says that the server is to be open. */
  readonly isMeantOpen: boolean;
  /** Absent if nothing is recorded. */
  readonly telemetry?: TelemetryOptions;
  readonly audit: AuditSettings;
  /** Absent if event sources are not served. */
  readonly events?: EventsSettings;
  /** Absent if no folder is served. */
  readonly skills?: SkillsSettings;
  readonly apps: AppsSettings;
  /** Absent without other processes. */
  readonly cluster?: Cluster;
}

/** Where a server is reached that says nothing of it. */
export const DEFAULT_PATHS = { mcp: '/mcp', sse: '/sse' } as const;

/** Says that what is told may not be kept. */
export const NOT_CACHEABLE: CacheHint = { ttlMs: 0, scope: 'private' };

/** Fills every default in. The options are expected to have passed {@link assertOptions}. */
export function buildServerSettings(options: McpOptions): ServerSettings {
  const { instructions, callTimeoutMs, allowedHosts, cluster } = options;
  const auth = options.auth || undefined;
  const publicUrl = options.publicUrl ?? auth?.resourceUri;
  const cors = buildCors(options.cors);
  const limits = buildLimits(options);
  return {
    serverInfo: options.serverInfo,
    mcpPath: options.mcpPath ?? DEFAULT_PATHS.mcp,
    useGlobalPrefix: options.useGlobalPrefix ?? false,
    globalEnhancers: buildGlobalEnhancers(options.globalEnhancers),
    exposeErrors: options.exposeErrors ?? selectExposure(publicUrl),
    capabilities: { logging: true, ...onlyGiven(options.capabilities) },
    stateless: options.stateless ?? false,
    catalogue: buildCatalogueSettings(options),
    arguments: { repair: false, ...onlyGiven(options.arguments) },
    pageSize: options.pageSize ?? 1000,
    cache: buildCacheHints(options.cache),
    ...buildSecrets(options),
    reverseCalls: {
      timeoutMs: 5 * 60_000,
      stateLifetimeMs: 60 * 60_000,
      ...onlyGiven(options.reverseCalls),
    },
    sessions: buildSessionSettings(options),
    streams: {
      beginAfterMs: 1000,
      keepAliveMs: 15_000,
      maximumQueuedBytes: 1_048_576,
      retryMs: 1000,
      maximumAgeMs: 0,
      maximumListeners: 10_000,
      maximumListenersPerIdentity: 1000,
      ...onlyGiven(options.streams),
    },
    shutdown: buildShutdown(options),
    limits,
    memory: buildMemorySettings(options, limits.bodyBytes),
    state: buildStateSettings(options.state),
    allowedOrigins: options.allowedOrigins ?? [],
    isMeantOpen: options.auth === false,
    ...(instructions !== undefined && { instructions }),
    ...(callTimeoutMs !== undefined && { callTimeoutMs }),
    ...(publicUrl !== undefined && { publicUrl: new URL(publicUrl) }),
    ...(allowedHosts !== undefined && { allowedHosts }),
    ...(cors !== undefined && { cors }),
    ...(cluster !== undefined && { cluster }),
    audit: buildAuditSettings(options.audit),
    ...buildThrottle(options),
    ...buildTelemetry(options),
    ...buildExtensions(options),
    ...buildServerCardSettings(options.serverCard),
    ...buildExplorerSettings(options.explorer),
    ...(auth !== undefined && { auth: buildAuthSettings(auth, publicUrl) }),
  };
}

function buildSecrets(
  options: McpOptions,
): Pick<ServerSettings, 'secrets' | 'keyring' | 'acceptFormerFormatUntil'> {
  const { secret = [], mcpPath = DEFAULT_PATHS.mcp, cluster, acceptFormerFormatUntil } = options;
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const scope = { prefix: cluster?.prefix ?? '', path: mcpPath };
  return {
    secrets,
    keyring: new Keyring(secrets, scope, isStillAccepted(acceptFormerFormatUntil)),
    ...(acceptFormerFormatUntil !== undefined && { acceptFormerFormatUntil }),
  };
}

function buildLimits({ limits }: McpOptions): Required<LimitOptions> {
  return {
    bodyBytes: 4 * 1_048_576,
    bodyValues: 25_000,
    bodyDepth: 512,
    transferTimeoutMs: 60_000,
    batchSize: 100,
    requestsInFlight: 256,
    resourceBytes: 16 * 1_048_576,
    resultBytes: Infinity,
    contentTypes: ['application/json'],
    ...onlyGiven(limits),
  };
}

function buildSessionSettings({ sessions, auth, cluster }: McpOptions): Required<SessionOptions> {
  const { maximumSessions = 10_000 } = sessions ?? {};
  return {
    idleTimeoutMs: 30 * 60_000,
    unusedTimeoutMs: 15_000,
    maximumSessions,
    maximumSessionsPerIdentity: 1000,
    maximumAnonymousSessions: auth ? Math.ceil(maximumSessions / 2) : maximumSessions,
    maximumSessionsPerAddress: 1000,
    lifetimeMs: 24 * 60 * 60_000,
    adopt: cluster !== undefined,
    maximumSubscriptions: 1000,
    maximumSubscriptionCharacters: 262_144,
    eventLogSize: 256,
    eventLogCharacters: 1_048_576,
    ...onlyGiven(sessions),
  };
}

function buildShutdown({ shutdown }: McpOptions): Required<ShutdownOptions> {
  const { drainMs = 0, graceMs = drainMs === 0 ? 0 : 10_000 } = shutdown ?? {};
  return { drainMs, graceMs };
}

function buildTelemetry({ telemetry }: McpOptions): Pick<ServerSettings, 'telemetry'> {
  return isTelemetryWanted(telemetry)
    ? { telemetry: { captureArguments: false, captureResults: false, ...onlyGiven(telemetry) } }
    : {};
}

function buildThrottle({ throttle }: McpOptions): Pick<ServerSettings, 'throttle'> {
  if (throttle === undefined || throttle === false) return {};
  const given = throttle === true ? {} : onlyGiven(throttle);
  return { throttle: { methods: [], whenUnavailable: 'admit', ...given } };
}

function buildSse({ sse }: McpOptions): Pick<ServerSettings, 'sse'> {
  return sse ? { sse: { path: DEFAULT_PATHS.sse, ...onlyGiven(sse === true ? {} : sse) } } : {};
}

function buildExtensions(
  options: McpOptions,
): Pick<ServerSettings, 'sse' | 'tasks' | 'events' | 'skills' | 'apps'> {
  const { tasks, events, skills } = options;
  return {
    apps: buildAppsSettings(options.apps),
    ...buildSse(options),
    ...(tasks && { tasks: buildTasksSettings(tasks) }),
    ...(events && { events: buildEventsSettings(events) }),
    ...(skills && { skills: buildSkillsSettings(skills) }),
  };
}

function buildCacheHints(hints: CacheHints = {}): Required<CacheHints> {
  return {
    discover: NOT_CACHEABLE,
    tools: NOT_CACHEABLE,
    prompts: NOT_CACHEABLE,
    resources: NOT_CACHEABLE,
    resourceTemplates: NOT_CACHEABLE,
    resourceContents: NOT_CACHEABLE,
    skills: NOT_CACHEABLE,
    ...onlyGiven(hints),
  };
}

/** Fills the defaults of cross-origin requests in. Returns `undefined` if there are none. */
function buildCors(cors: McpOptions['cors']): Required<CorsOptions> | undefined {
  if (cors === undefined || cors === false) return undefined;
  const { origins, maxAgeSeconds = 600 }: CorsOptions = cors === true ? { origins: ['*'] } : cors;
  return { origins, maxAgeSeconds };
}

/** The page that browsers get at the endpoint. */
interface ExplorerSettings {
  /** Absent if browsers get none. */
  readonly explorer?: Pick<ExplorerOptions, 'guard'> & { readonly loginRelay: boolean };
}

/** Fills every default in: a page that nobody asked for is there while an application is developed. */
function buildExplorerSettings(option: boolean | ExplorerOptions = !isProduction()): ExplorerSettings {
  if (option === false) return {};
  const given = option === true ? {} : onlyGiven(option);
  return { explorer: { loginRelay: !isProduction(), ...given } };
}

function isProduction(): boolean {
  return process.env['NODE_ENV'] === 'production';
}

/** What a server tells about itself before anybody connects. */
interface ServerCardSettings {
  /** Absent if the server has no card. */
  readonly serverCard?: ServerCardOptions;
}

/** Fills every default in. */
function buildServerCardSettings(option: boolean | ServerCardOptions = true): ServerCardSettings {
  if (option === false) return {};
  return { serverCard: option === true ? {} : onlyGiven(option) };
}
