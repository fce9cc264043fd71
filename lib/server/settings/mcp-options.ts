// The options of a server and the checks that compare them with each other: each is defined once, and most lines are docstrings.

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
  /** Names the server to clients (MCP `Implementation`). */
  readonly serverInfo: Implementation;
  /** Instructions for models on how to use the server. @default none */
  readonly instructions?: string;
  /** The path of the endpoint, absolute from the origin. @default '/mcp' @see docs/http.md, "Prefix and versioning" */
  readonly mcpPath?: string;
  /** Puts the application's global prefix in front of `mcpPath`. @default false */
  readonly useGlobalPrefix?: boolean;
  /** Which of the application's global guards, interceptors, pipes and filters run on handlers too. Serializers always do. @default false: none of the others @see docs/pipeline.md, "Global enhancers by kind" */
  readonly globalEnhancers?: boolean | GlobalEnhancersOptions;
  /** Shows all callers the message of unexpected errors; with `false`, none. @default only callers on this machine, unless `NODE_ENV` is `production` or `test` @see docs/troubleshooting.md, "Expose error messages" */
  readonly exposeErrors?: boolean;
  /** Stores nothing between requests, so there are no sessions. Any number of processes can run behind a plain load balancer. @default false @see docs/stateless.md */
  readonly stateless?: boolean;
  /** Also serves the transport of 2024-11-05, for clients that know no other. `true` serves it at `/sse`. @default false @see docs/http.md, "HTTP+SSE" */
  readonly sse?: boolean | SseOptions;
  /** Declares or hides capabilities, regardless of the catalog entries when a client connects. */
  readonly capabilities?: DeclaredCapabilities;
  /** How the catalog is shown. */
  readonly catalog?: CatalogOptions;
  /** How the arguments of tools are read. */
  readonly arguments?: ArgumentsOptions;
  /** Entries on one page of a list. @default 1000 */
  readonly pageSize?: number;
  /** How long clients may cache lists and contents. @default no caching: `ttlMs: 0`, `scope: 'private'` */
  readonly cache?: CacheHints;
  /** The timeout of any method except streams and `tasks/result`, in milliseconds. A tool's own `timeoutMs` takes precedence. @default no limit */
  readonly callTimeoutMs?: number;
  /** Connects several processes to one server, for example with `redisCluster()` from `nestjs-mcp/redis`. Give all of them the same cluster and the same `secret`. @default this process is alone @see docs/scaling.md */
  readonly cluster?: Cluster;
  /** Signs the values that clients carry for the server. It has 32 characters or more. All processes need the same one. Of several, the first signs and all are accepted. @default random @see docs/input-requests.md, "secret" */
  readonly secret?: string | readonly string[];
  /** The day, such as `2027-01-31`, until which a starting process also accepts what the release before signed and encrypted with this `secret`. @default it is refused @see docs/scaling.md, "What an attacker can do" */
  readonly acceptFormerFormatUntil?: string;
  /** Limits of elicitation, sampling and roots requests. */
  readonly inputRequests?: InputRequestsOptions;
  /** Limits and recovery of sessions. */
  readonly sessions?: SessionOptions;
  /** Limits of event streams. */
  readonly streams?: StreamOptions;
  /** How the server shuts down. */
  readonly shutdown?: ShutdownOptions;
  /** Limits of requests and results. */
  readonly limits?: LimitOptions;
  /** Rate limits calls of all handlers with `@nestjs/throttler`. @default false: only calls of handlers with `@Throttle()` on them or on their class @see docs/rate-limiting.md, "Rate limits" */
  readonly throttle?: boolean | ThrottleOptions;
  /** Limits the memory that the server holds for clients. */
  readonly memory?: MemoryOptions;
  /** Limits the state that handlers store for callers. */
  readonly state?: StateOptions;
  /** The public URL of the endpoint, and the audience of tokens. Its origin and host are allowed. @default `auth.resourceUri` */
  readonly publicUrl?: string;
  /** Origins that browsers may send, in addition to loopback origins, for example `https://app.example.com`. `*` allows any. @default [] @see docs/http.md, "Origin and Host" */
  readonly allowedOrigins?: readonly string[];
  /** Host names that requests may carry. If it is set, `Host` is checked on every connection. @default loopback names, on loopback connections */
  readonly allowedHosts?: readonly string[];
  /** Allows cross-origin requests of browsers: `true` for any origin. @default false */
  readonly cors?: boolean | CorsOptions;
  /** Lets tools run as tasks, whose results clients fetch later. `true` uses the defaults. @default false */
  readonly tasks?: boolean | TasksOptions;
  /** Requires a token for every request. `false` declares that the server is open on purpose. @default none: the server is open @see docs/deployment.md, "An open server" */
  readonly auth?: AuthOptions | false;
  /** Serves the event sources of the application. `true` uses the defaults. Experimental. @default false */
  readonly events?: boolean | EventsOptions;
  /** Serves the server card at `<mcpPath>/server-card`, which describes the server to clients before they connect. `false` turns it off. @default true @see docs/server-card.md, "The card" */
  readonly serverCard?: boolean | ServerCardOptions;
  /** Shows a page to browsers at the endpoint, with `true` only on this machine. A `guard` decides who sees it. @default true, and false if `NODE_ENV` is `production` @see docs/explorer.md */
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

/** Areas to declare. By default, an area is declared if the catalog has an entry in it. Logging is always declared. */
export interface DeclaredCapabilities {
  /** Lists and calls tools. @default on if the catalog has a tool */
  readonly tools?: boolean;
  /** Lists and gets prompts. @default on if the catalog has a prompt */
  readonly prompts?: boolean;
  /** Lists and reads resources, and subscribes to them. @default on if the catalog has a resource or template */
  readonly resources?: boolean;
  /** Suggests values for arguments. @default on if the catalog has a completion, or a prompt with listed values */
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
  /** The list of tools. @default `ttlMs: 0`, `scope: 'private'` */
  readonly tools?: CacheHint;
  /** The list of prompts. @default `ttlMs: 0`, `scope: 'private'` */
  readonly prompts?: CacheHint;
  /** The list of resources. @default `ttlMs: 0`, `scope: 'private'` */
  readonly resources?: CacheHint;
  /** The list of resource templates. @default `ttlMs: 0`, `scope: 'private'` */
  readonly resourceTemplates?: CacheHint;
  /** The contents of resources that have no hint themselves. @default `ttlMs: 0`, `scope: 'private'` */
  readonly resourceContents?: CacheHint;
  /** The list of skills, and the details of one skill. @default `ttlMs: 0`, `scope: 'private'` */
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

/** Creates options if `forRootAsync` is given `useClass` or `useExisting`. */
export interface McpOptionsFactory {
  /** Returns the options of the server; it is called once. */
  createMcpOptions(): McpOptions | Promise<McpOptions>;
}

/** The default path of the endpoint. */
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
    check.fail(option, 'must be what "redisCluster()" of "nestjs-mcp/redis" gives, or an engine of your own');
  }
};

/** The names that other libraries have for options of a server. If you use one, the error gives the right name. */
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

/** All options of a server. */
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
 * Checks the options of the application.
 *
 * @throws {McpConfigurationError} that names the first option that is wrong
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
        'must stand beside the factory, not in its result: it is needed before the factory is called',
      );
    }
  }
  SERVER.check('', options);
}

/** Checks combinations of options, after each option alone was checked. */
function assertTogether(_option: string, options: McpOptions): void {
  const { secret, sessions, auth, publicUrl } = options;
  if (sessions?.recover === true && secret === undefined) {
    check.fail('secret', 'is required with "sessions.recover": without it each process signs with its own');
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
      'is required with "cluster": give every process the same, of at least 32 characters',
    );
  }
  if (sessions?.recover === false) {
    check.fail(
      'sessions.recover',
      'cannot be off with "cluster": any process recovers the sessions of the others',
    );
  }
  const hasStore = typeof tasks === 'object' ? tasks.store !== undefined : tasks !== true;
  if (!hasStore && cluster.createTaskStore === undefined) {
    check.fail(
      'tasks.store',
      'is required with this "cluster", which keeps no tasks: all processes must share it',
    );
  }
}

function assertStateless({ stateless, sessions, sse }: McpOptions): void {
  if (stateless !== true) return;
  if (sessions?.recover === true) {
    check.fail('sessions.recover', 'has nothing to take over with "stateless": remove one of the two');
  }
  if (sse !== undefined && sse !== false) {
    check.fail('sse', 'keeps a session for each stream, and "stateless" has none: remove one of the two');
  }
}

function assertPathOfSse({ mcpPath = MCP_PATH, sse }: McpOptions): void {
  if (sse === undefined || sse === false) return;
  const { path: own = SSE_PATH } = sse === true ? {} : sse;
  // Routers may ignore case.
  if (own.toLowerCase() !== mcpPath.toLowerCase()) return;
  check.fail('sse.path', `must be another path than "mcpPath", such as "${mcpPath}/sse"`);
}

const anything: Check = () => undefined;

/** The sources of options, in order of preference. */
const SOURCES = ['useFactory', 'useClass', 'useExisting'] as const;

const ASYNC_OPTIONS: Checks = {
  ...selectChecks(MODULE.rows),
  imports: anything,
  inject: anything,
  provideInjectionTokensFrom: anything,
  ...Object.fromEntries(SOURCES.map((source) => [source, anything])),
};

/**
 * Checks what `McpModule.forRootAsync` is given.
 *
 * @throws {McpConfigurationError} that names the first member that is wrong
 */
export function assertAsyncOptions(options: unknown): asserts options is object {
  asserting(McpConfigurationError, () => checkAsyncOptions(options));
}

function checkAsyncOptions(options: unknown): void {
  const given: object = Object(options);
  const misplaced = Object.keys(SERVER.rows).find((name) => Object.hasOwn(given, name));
  if (misplaced !== undefined) check.fail(misplaced, 'must be in the result of the factory, not beside it');
  check.assertProperties('', given, ASYNC_OPTIONS);
  const hasSource = SOURCES.some((source) => Reflect.get(given, source) !== undefined);
  if (!hasSource) {
    check.fail(
      'useFactory',
      'is required: write for example () => ({ serverInfo: { name: "desk", version: "1.0.0" } }), or give "useClass" or "useExisting"',
    );
  }
}
