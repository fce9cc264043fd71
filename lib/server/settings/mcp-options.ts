// The server options and the checks that compare them: each is defined once, and most lines are docstrings.

import * as check from '../../core/checks/option-checks.js';
import { type Aliases, asserting, type Check, type Checks } from '../../core/checks/option-checks.js';
import { nested, optionGroup, selectChecks, switchable } from '../../core/checks/option-group.js';
import type { Implementation } from '../../core/protocol/definitions.js';
import type { CacheHint } from '../../core/protocol/results.js';
import { TELEMETRY, type TelemetryOptions } from '../../core/telemetry/telemetry-options.js';
import { AUDIT, type AuditOptions } from './audit-options.js';
import { assertFitsEndpoint, AUTH, type AuthOptions } from './auth/auth-options.js';
import { ARGUMENTS, CATALOG, type ArgumentsOptions, type CatalogOptions } from './catalog-options.js';
import { icons } from './checks/icon-checks.js';
import type { Cluster } from './cluster/cluster.interface.js';
import { EXPLORER_ROW, type ExplorerOptions } from './explorer-options.js';
import { APPS, type AppsOptions } from './extensions/app-options.js';
import { EVENTS, type EventsOptions } from './extensions/events-options.js';
import { SKILLS, type SkillsOptions } from './extensions/skills-options.js';
import { TASKS, type TasksOptions } from './extensions/tasks-options.js';
import { GLOBAL_ENHANCERS, type GlobalEnhancersOptions } from './global-enhancers-options.js';
import { CORS, SSE, SSE_PATH, type CorsOptions, type SseOptions } from './http-options.js';
import {
  LIMITS,
  MEMORY,
  THROTTLE,
  type LimitOptions,
  type MemoryOptions,
  type ThrottleOptions,
} from './limit-options.js';
import { McpConfigurationError } from './mcp-configuration.error.js';
import { MODULE } from './module-options.js';
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

/**
 * Configures one MCP server.
 *
 * @example
 * McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } })
 */
export interface McpOptions {
  /** Identifies the server to clients (MCP `Implementation`). */
  readonly serverInfo: Implementation;
  /** Instructions for models on how to use the server. @default none */
  readonly instructions?: string;
  /** The absolute endpoint path. @default '/mcp' @see docs/http.md, "Prefix and versioning" */
  readonly mcpPath?: string;
  /** Puts the application's global prefix in front of `mcpPath`. @default false */
  readonly useGlobalPrefix?: boolean;
  /** Which of the application's global guards, interceptors, pipes and filters run on handlers too. Serializers always do. @default false: none of the others @see docs/pipeline.md, "Global enhancers by kind" */
  readonly globalEnhancers?: boolean | GlobalEnhancersOptions;
  /**
   * Shows the messages of unexpected errors to all callers; with `false`, to no caller. @default only callers on this
   * machine, unless `NODE_ENV` is `production` or `test` @see docs/troubleshooting.md, "Expose error messages"
   */
  readonly exposeErrors?: boolean;
  /** Stores nothing between requests, so there are no sessions. Any number of processes can run behind a plain load balancer. @default false @see docs/stateless.md */
  readonly stateless?: boolean;
  /**
   * Also serves HTTP+SSE, the 2024-11-05 transport, for clients that support only that. `true` serves it at `/sse`.
   * @default false @see docs/http.md, "HTTP+SSE"
   */
  readonly sse?: boolean | SseOptions;
  /** Declares or hides capabilities, regardless of what the catalog contains when a client connects. */
  readonly capabilities?: DeclaredCapabilities;
  /** How the catalog is listed. */
  readonly catalog?: CatalogOptions;
  /** How tool call arguments are parsed. */
  readonly arguments?: ArgumentsOptions;
  /** The number of entries on one page of a list. @default 1000 */
  readonly pageSize?: number;
  /** How long clients may cache lists and contents. @default no caching: `ttlMs: 0`, `scope: 'private'` */
  readonly cache?: CacheHints;
  /** The timeout of any method except streams and `tasks/result`, in milliseconds. A tool's own `timeoutMs` takes precedence. @default no limit */
  readonly callTimeoutMs?: number;
  /**
   * Connects several processes that act as one server, for example with `redisCluster()` from `nestjs-mcp/redis`.
   * Configure all of them with the same cluster and the same `secret`. @default none: a single process
   * @see docs/scaling.md
   */
  readonly cluster?: Cluster;
  /**
   * Signs the values that clients send back to the server. It must have at least 32 characters and be the same in all
   * processes. If you pass several, the first one signs and all are accepted. @default random
   * @see docs/input-requests.md, "secret"
   */
  readonly secret?: string | readonly string[];
  /**
   * The date, such as `2027-01-31`, until which newly started processes also accept values that the previous release
   * signed or encrypted with this `secret`. @default such values are rejected @see docs/scaling.md, "What an attacker
   * can do"
   */
  readonly acceptFormerFormatUntil?: string;
  /** Limits on elicitation, sampling and roots requests. */
  readonly inputRequests?: InputRequestsOptions;
  /** Session limits and recovery. */
  readonly sessions?: SessionOptions;
  /** Limits of event streams. */
  readonly streams?: StreamOptions;
  /** How the server shuts down. */
  readonly shutdown?: ShutdownOptions;
  /** Limits on requests and results. */
  readonly limits?: LimitOptions;
  /**
   * Rate limits calls to all handlers with `@nestjs/throttler`. @default false: only calls to handlers with
   * `@Throttle()` on them or on their class @see docs/rate-limiting.md, "Rate limits"
   */
  readonly throttle?: boolean | ThrottleOptions;
  /** Limits the memory that the server holds for clients. */
  readonly memory?: MemoryOptions;
  /** Limits the state that handlers store for callers. */
  readonly state?: StateOptions;
  /**
   * The endpoint's public URL, and the token audience. Its origin and host are allowed. @default `auth.resourceUri`
   */
  readonly publicUrl?: string;
  /** Origins that browsers may send, in addition to loopback origins, for example `https://app.example.com`. `*` allows any. @default [] @see docs/http.md, "Origin and Host" */
  readonly allowedOrigins?: readonly string[];
  /**
   * Host names that requests may use. If it is set, `Host` is checked on every connection.
   * @default loopback names, on loopback connections
   */
  readonly allowedHosts?: readonly string[];
  /** Allows cross-origin requests from browsers: `true` for any origin. @default false */
  readonly cors?: boolean | CorsOptions;
  /** Lets tools run as tasks, whose results clients fetch later. `true` uses the defaults. @default false */
  readonly tasks?: boolean | TasksOptions;
  /**
   * Requires a token for every request. `false` declares that the server is intentionally open. @default none: the
   * server is open @see docs/deployment.md, "An open server"
   */
  readonly auth?: AuthOptions | false;
  /** Serves the application's event sources. `true` uses the defaults. Experimental. @default false */
  readonly events?: boolean | EventsOptions;
  /**
   * Serves the server card at `<mcpPath>/server-card`, which describes the server to clients before they connect.
   * `false` disables it. @default true @see docs/server-card.md, "Card contents"
   */
  readonly serverCard?: boolean | ServerCardOptions;
  /**
   * Serves the explorer to browsers at the endpoint; with `true`, only to browsers on this machine. A `guard` decides
   * who may open it. @default true, and false if `NODE_ENV` is `production` @see docs/explorer.md
   */
  readonly explorer?: boolean | ExplorerOptions;
  /** Serves skills from folders. Providers with `@Skill()` need no option. @default none */
  readonly skills?: SkillsOptions;
  /** Where app pages are, and which clients see them. */
  readonly apps?: AppsOptions;
  /** Records spans and metrics with OpenTelemetry. @default nothing is recorded */
  readonly telemetry?: TelemetryOptions;
  /** How operations are audited. */
  readonly audit?: AuditOptions;
}

/**
 * The capabilities to declare. By default, a capability is declared if the catalog has an entry for it; logging is
 * always declared.
 */
export interface DeclaredCapabilities {
  /** Lists and calls tools. @default true if the catalog has a tool */
  readonly tools?: boolean;
  /** Lists and gets prompts. @default true if the catalog has a prompt */
  readonly prompts?: boolean;
  /** Lists and reads resources, and subscribes to them. @default true if the catalog has a resource or template */
  readonly resources?: boolean;
  /** Suggests values for arguments. @default true if the catalog has a completion, or a prompt with listed values */
  readonly completions?: boolean;
  /** Sends log messages to clients. @default true */
  readonly logging?: boolean;
}

export const CAPABILITIES = optionGroup<DeclaredCapabilities, Exclude<keyof DeclaredCapabilities, 'logging'>>(
  {
    tools: check.flag,
    prompts: check.flag,
    resources: check.flag,
    completions: check.flag,
    logging: [check.flag, true],
  },
);

/** Cache hints for lists and results (MCP 2026-07-28 server/utilities/caching). */
export interface CacheHints {
  /** The response to `server/discover`. @default `ttlMs: 0`, `scope: 'private'` */
  readonly discover?: CacheHint;
  /** The tool list. @default `ttlMs: 0`, `scope: 'private'` */
  readonly tools?: CacheHint;
  /** The prompt list. @default `ttlMs: 0`, `scope: 'private'` */
  readonly prompts?: CacheHint;
  /** The resource list. @default `ttlMs: 0`, `scope: 'private'` */
  readonly resources?: CacheHint;
  /** The resource template list. @default `ttlMs: 0`, `scope: 'private'` */
  readonly resourceTemplates?: CacheHint;
  /** The contents of resources without their own hint. @default `ttlMs: 0`, `scope: 'private'` */
  readonly resourceContents?: CacheHint;
  /** The skill list, and the details of one skill. @default `ttlMs: 0`, `scope: 'private'` */
  readonly skills?: CacheHint;
}

/** A cache hint that forbids caching. */
export const NOT_CACHEABLE: CacheHint = { ttlMs: 0, scope: 'private' };

const CACHE_HINT = check.properties({
  ttlMs: check.required(check.notNegative, '60000'),
  scope: check.required(check.oneOf('public', 'private'), '"private"'),
});

const CACHE_ROW = [CACHE_HINT, NOT_CACHEABLE] as const;

export const CACHE = optionGroup<CacheHints>({
  discover: CACHE_ROW,
  tools: CACHE_ROW,
  prompts: CACHE_ROW,
  resources: CACHE_ROW,
  resourceTemplates: CACHE_ROW,
  resourceContents: CACHE_ROW,
  skills: CACHE_ROW,
});

/** Creates a server's options, for `useClass` and `useExisting` in `forRootAsync`. */
export interface McpOptionsFactory {
  /** Returns the server options. Called once. */
  createMcpOptions(): McpOptions | Promise<McpOptions>;
}

/** The default endpoint path. */
export const MCP_PATH = '/mcp';

const SERVER_INFO = optionGroup<Implementation, Exclude<keyof Implementation, 'name' | 'version'>>({
  name: check.required(check.nonEmptyString, '"desk"'),
  version: check.required(check.nonEmptyString, '"1.0.0"'),
  title: check.nonEmptyString,
  description: check.nonEmptyString,
  websiteUrl: check.httpUrl,
  icons,
});

const clusterOption: Check = (option, value) => {
  const join: unknown = typeof value === 'object' && value !== null && Reflect.get(value, 'join');
  if (typeof join !== 'function') {
    check.fail(option, 'must be the result of "redisCluster()" from "nestjs-mcp/redis", or a custom backend');
  }
};

/** Other libraries' names for server options. If you use one, the error suggests the right name. */
export const SERVER_OPTION_ALIASES: Aliases = new Map([
  ['name', 'serverInfo.name'],
  ['version', 'serverInfo.version'],
  ['title', 'serverInfo.title'],
  ['description', 'serverInfo.description'],
  ['websiteUrl', 'serverInfo.websiteUrl'],
  ['icons', 'serverInfo.icons'],
  ['path', 'mcpPath'],
  ['endpoint', 'mcpPath'],
  ['mcpEndpoint', 'mcpPath'],
  ['apiPrefix', 'mcpPath'],
  ['transports', 'mcpPath'],
  ['transport', 'sse'],
  ['sseEndpoint', 'sse.path'],
  ['messagesEndpoint', 'sse.path'],
  ['guards', 'decorators'],
  ['streamableHttp', 'stateless'],
  ['statelessMode', 'stateless'],
  ['statefulMode', 'stateless'],
  ['cacheHints', 'cache'],
  ['logging', 'capabilities.logging'],
  ['allowUnauthenticatedAccess', 'auth'],
]);

/** Options without a default, or with a default that depends on other options. */
type OpenOption =
  | 'instructions'
  | 'exposeErrors'
  | 'callTimeoutMs'
  | 'secret'
  | 'acceptFormerFormatUntil'
  | 'cluster'
  | 'publicUrl'
  | 'allowedHosts'
  | 'auth'
  | 'skills';

/** All server options. */
export const SERVER = optionGroup<McpOptions, OpenOption>(
  {
    serverInfo: nested(check.required(SERVER_INFO.check, '{ name: "desk", version: "1.0.0" }'), SERVER_INFO),
    instructions: check.nonEmptyString,
    mcpPath: [check.path, MCP_PATH],
    useGlobalPrefix: [check.flag, false],
    globalEnhancers: [switchable(GLOBAL_ENHANCERS), false],
    exposeErrors: check.flag,
    stateless: [check.flag, false],
    sse: [switchable(SSE), false],
    capabilities: [CAPABILITIES, {}],
    catalog: [CATALOG, {}],
    arguments: [ARGUMENTS, {}],
    pageSize: [check.positive, 1000],
    cache: [CACHE, {}],
    callTimeoutMs: check.milliseconds,
    secret: check.secrets,
    acceptFormerFormatUntil: check.day,
    cluster: clusterOption,
    inputRequests: [REVERSE_CALLS, {}],
    sessions: [SESSIONS, {}],
    streams: [STREAMS, {}],
    shutdown: [SHUTDOWN, {}],
    limits: [LIMITS, {}],
    memory: [MEMORY, {}],
    state: [STATE, {}],
    throttle: [switchable(THROTTLE), false],
    publicUrl: check.httpUrl,
    allowedOrigins: [check.list(check.origin), []],
    allowedHosts: check.list(check.hostName),
    cors: [switchable(CORS), false],
    auth: AUTH,
    apps: [APPS, {}],
    events: [switchable(EVENTS), false],
    skills: SKILLS,
    tasks: [switchable(TASKS), false],
    serverCard: [switchable(SERVER_CARD), true],
    explorer: EXPLORER_ROW,
    telemetry: [TELEMETRY, {}],
    audit: [AUDIT, {}],
  },
  { together: assertTogether, aliases: SERVER_OPTION_ALIASES },
);

const SMALLEST = '{ serverInfo: { name: "desk", version: "1.0.0" } }';

/**
 * Checks the application's options.
 *
 * @throws {McpConfigurationError} that names the first invalid option
 */
export function assertOptions(options: unknown): asserts options is McpOptions {
  asserting(McpConfigurationError, () => checkOptions(options));
}

function checkOptions(options: unknown): void {
  if (options === undefined || options === null)
    check.fail('options', `must be an object such as ${SMALLEST}`);
  for (const name of Object.keys(MODULE.rows)) {
    if (Object.hasOwn(options, name)) {
      check.fail(
        name,
        'must be set next to the factory, not in the object that the factory returns: it is needed before the factory is called',
      );
    }
  }
  SERVER.check('', options);
}

/** Checks combinations of options, after each option has been checked on its own. */
function assertTogether(_option: string, options: McpOptions): void {
  const { secret, sessions, auth, publicUrl } = options;
  if (sessions?.recover === true && secret === undefined) {
    check.fail(
      'secret',
      'is required with "sessions.recover": without it, each process signs with a different secret',
    );
  }
  assertCluster(options);
  assertStateless(options);
  assertPathOfSse(options);
  if (auth) assertFitsEndpoint(auth, publicUrl);
}

function assertCluster({ cluster, secret, sessions, tasks }: McpOptions): void {
  if (cluster === undefined) return;
  if (secret === undefined) {
    check.fail(
      'secret',
      'is required with "cluster": set the same secret of at least 32 characters in every process',
    );
  }
  if (sessions?.recover === false) {
    check.fail(
      'sessions.recover',
      'must not be false with "cluster": every process recovers sessions from the others',
    );
  }
  const hasStore = typeof tasks === 'object' ? tasks.store !== undefined : tasks !== true;
  if (!hasStore && cluster.createTaskStore === undefined) {
    check.fail(
      'tasks.store',
      'is required with this "cluster", which does not store tasks: all processes must share the store',
    );
  }
}

function assertStateless({ stateless, sessions, sse }: McpOptions): void {
  if (stateless !== true) return;
  if (sessions?.recover === true) {
    check.fail('sessions.recover', 'has no sessions to recover with "stateless": remove one of the two');
  }
  if (sse !== undefined && sse !== false) {
    check.fail(
      'sse',
      'requires a session for each stream, but "stateless" has no sessions: remove one of the two',
    );
  }
}

function assertPathOfSse({ mcpPath = MCP_PATH, sse }: McpOptions): void {
  if (sse === undefined || sse === false) return;
  const { path: own = SSE_PATH } = sse === true ? {} : sse;
  // Routers may ignore case.
  if (own.toLowerCase() !== mcpPath.toLowerCase()) return;
  check.fail('sse.path', `must be a different path than "mcpPath", such as "${mcpPath}/sse"`);
}

const anything: Check = () => undefined;

/** The sources of options, in order of precedence. */
const SOURCES = ['useFactory', 'useClass', 'useExisting'] as const;

const ASYNC_OPTIONS: Checks = {
  ...selectChecks(MODULE.rows),
  imports: anything,
  inject: anything,
  provideInjectionTokensFrom: anything,
  ...Object.fromEntries(SOURCES.map((source) => [source, anything])),
};

/**
 * Checks the argument of `McpModule.forRootAsync`.
 *
 * @throws {McpConfigurationError} that names the first invalid property
 */
export function assertAsyncOptions(options: unknown): asserts options is object {
  asserting(McpConfigurationError, () => checkAsyncOptions(options));
}

function checkAsyncOptions(options: unknown): void {
  const given: object = Object(options);
  const misplaced = Object.keys(SERVER.rows).find((name) => Object.hasOwn(given, name));
  if (misplaced !== undefined)
    check.fail(misplaced, 'must be in the object that the factory returns, not next to the factory');
  check.assertProperties('', given, ASYNC_OPTIONS);
  const hasSource = SOURCES.some((source) => Reflect.get(given, source) !== undefined);
  if (!hasSource) {
    check.fail(
      'useFactory',
      'is required: set it to a value such as () => ({ serverInfo: { name: "desk", version: "1.0.0" } }), or set "useClass" or "useExisting"',
    );
  }
}
