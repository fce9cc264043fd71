import { isLoopbackUrl } from '../../core/oauth/secure-url.js';
import type { Implementation } from '../../core/protocol/definitions.js';
import { Keyring } from '../../core/sealing/keyring.js';
import {
  isTelemetryWanted,
  TELEMETRY,
  type TelemetryOptions,
} from '../../core/telemetry/telemetry-options.js';
import { AUDIT, type AuditSettings } from './audit-options.js';
import { buildAuthSettings, type AuthSettings } from './auth/auth-options.js';
import {
  ARGUMENTS,
  buildCatalogSettings,
  type ArgumentsOptions,
  type CatalogSettings,
} from './catalog-options.js';
import type { Cluster } from './cluster/cluster.interface.js';
import { EXPLORER, type ExplorerSettings } from './explorer-options.js';
import { buildAppsSettings, type AppsSettings } from './extensions/app-options.js';
import { buildEventsSettings, type EventsSettings } from './extensions/events-options.js';
import { buildSkillsSettings, type SkillsSettings } from './extensions/skills-options.js';
import { TASKS, type TasksSettings } from './extensions/tasks-options.js';
import { buildGlobalEnhancers, type GlobalEnhancersSettings } from './global-enhancers-options.js';
import { CORS, SSE, type CorsOptions, type SseOptions } from './http-options.js';
import { isStillAccepted } from './is-still-accepted.js';
import {
  LIMITS,
  MEMORY,
  THROTTLE,
  type LimitOptions,
  type MemoryOptions,
  type ThrottleOptions,
} from './limit-options.js';
import {
  CACHE,
  CAPABILITIES,
  SERVER,
  type CacheHints,
  type DeclaredCapabilities,
  type McpOptions,
} from './mcp-options.js';
import { SERVER_CARD, type ServerCardOptions } from './server-card-options.js';
import {
  REVERSE_CALLS,
  SESSIONS,
  SHUTDOWN,
  STREAMS,
  type InputRequestsOptions,
  type SessionOptions,
  type ShutdownOptions,
  type StreamOptions,
} from './session-options.js';
import { STATE, type StateOptions } from './state-options.js';

/** Who sees the messages of unexpected errors: every caller, no caller, or callers on this machine. */
type ExposeErrors = boolean | 'local';

/** Environments that behave like production. This includes tests, which assert what callers see in production. */
const AS_IN_PRODUCTION: ReadonlySet<string | undefined> = new Set(['production', 'test']);

/**
 * Selects the default. Clients of a server with a public URL may connect through a local proxy and thus appear to be
 * on this machine.
 */
function selectExposure(publicUrl: string | undefined): ExposeErrors {
  if (AS_IN_PRODUCTION.has(process.env['NODE_ENV'])) return false;
  return publicUrl === undefined || isLoopbackUrl(publicUrl) ? 'local' : false;
}

/** The server options with all defaults applied. */
export interface ServerSettings {
  readonly serverInfo: Implementation;
  readonly instructions?: string;
  readonly mcpPath: string;
  readonly useGlobalPrefix: boolean;
  readonly globalEnhancers: GlobalEnhancersSettings;
  readonly exposeErrors: ExposeErrors;
  readonly capabilities: DeclaredCapabilities;
  readonly stateless: boolean;
  readonly catalog: CatalogSettings;
  /** Absent if that transport is not served. */
  readonly sse?: Required<SseOptions>;
  readonly arguments: Required<ArgumentsOptions>;
  readonly pageSize: number;
  readonly cache: Required<CacheHints>;
  readonly callTimeoutMs?: number;
  readonly secrets: readonly string[];
  /** The keys derived from `secret` for this server only; empty without a secret. */
  readonly keyring: Keyring;
  readonly acceptFormerFormatUntil?: string;
  readonly inputRequests: Required<InputRequestsOptions>;
  readonly sessions: Required<SessionOptions>;
  readonly streams: Required<StreamOptions>;
  readonly shutdown: Required<ShutdownOptions>;
  readonly limits: Required<LimitOptions>;
  /** Absent if only handlers with `@Throttle()` are limited. */
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
  /** Whether the application declared the server open with `auth: false`. */
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
  /** Absent if the server has no card. */
  readonly serverCard?: ServerCardOptions;
  /** Absent if browsers do not receive a page. */
  readonly explorer?: ExplorerSettings;
}

/** Applies all defaults. The options must have passed {@link assertOptions}. */
export function buildServerSettings(options: McpOptions): ServerSettings {
  const given = SERVER.build(options);
  const auth = given.auth || undefined;
  const publicUrl = given.publicUrl ?? auth?.resourceUri;
  const context = { hasAuth: auth !== undefined, hasCluster: given.cluster !== undefined };
  const limits = LIMITS.build(given.limits);
  return {
    serverInfo: given.serverInfo,
    ...(given.instructions !== undefined && { instructions: given.instructions }),
    mcpPath: given.mcpPath,
    useGlobalPrefix: given.useGlobalPrefix,
    globalEnhancers: buildGlobalEnhancers(given.globalEnhancers),
    exposeErrors: given.exposeErrors ?? selectExposure(publicUrl),
    capabilities: CAPABILITIES.build(given.capabilities),
    stateless: given.stateless,
    catalog: buildCatalogSettings(given.catalog),
    arguments: ARGUMENTS.build(given.arguments),
    pageSize: given.pageSize,
    cache: CACHE.build(given.cache),
    ...(given.callTimeoutMs !== undefined && { callTimeoutMs: given.callTimeoutMs }),
    ...buildSecrets(given, given.mcpPath),
    ...(given.cluster !== undefined && { cluster: given.cluster }),
    inputRequests: REVERSE_CALLS.build(given.inputRequests),
    sessions: SESSIONS.build(given.sessions, context),
    streams: STREAMS.build(given.streams),
    shutdown: SHUTDOWN.build(given.shutdown),
    limits,
    memory: MEMORY.build(given.memory, { ...context, bodyBytes: limits.bodyBytes }),
    state: STATE.build(given.state),
    ...(publicUrl !== undefined && { publicUrl: new URL(publicUrl) }),
    allowedOrigins: given.allowedOrigins,
    ...(given.allowedHosts !== undefined && { allowedHosts: given.allowedHosts }),
    isMeantOpen: given.auth === false,
    ...(auth !== undefined && { auth: buildAuthSettings(auth, publicUrl) }),
    apps: buildAppsSettings(given.apps),
    ...(given.skills && { skills: buildSkillsSettings(given.skills) }),
    ...(isTelemetryWanted(given.telemetry) && { telemetry: TELEMETRY.build(given.telemetry) }),
    audit: AUDIT.build(given.audit),
    // Disabled features are absent.
    ...(given.sse && { sse: SSE.build(expand(given.sse)) }),
    ...(given.throttle && { throttle: THROTTLE.build(expand(given.throttle)) }),
    ...(given.cors && { cors: CORS.build(given.cors === true ? { origins: ['*'] } : given.cors) }),
    ...(given.tasks && { tasks: TASKS.build(expand(given.tasks)) }),
    ...(given.events && { events: buildEventsSettings(given.events) }),
    ...(given.serverCard && { serverCard: SERVER_CARD.build(expand(given.serverCard)) }),
    ...(given.explorer && { explorer: EXPLORER.build(expand(given.explorer)) }),
  };
}

/** `true` means all defaults. */
function expand<Options extends object>(option: true | Options): Options | undefined {
  return option === true ? undefined : option;
}

function buildSecrets(
  options: McpOptions,
  path: string,
): Pick<ServerSettings, 'secrets' | 'keyring' | 'acceptFormerFormatUntil'> {
  const { secret = [], cluster, acceptFormerFormatUntil } = options;
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const scope = { prefix: cluster?.prefix ?? '', path };
  return {
    secrets,
    keyring: new Keyring(secrets, scope, isStillAccepted(acceptFormerFormatUntil)),
    ...(acceptFormerFormatUntil !== undefined && { acceptFormerFormatUntil }),
  };
}
