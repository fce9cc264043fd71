import type { Implementation } from '../../core/protocol/definitions.js';
import type { CacheHint } from '../../core/protocol/results.js';
import type { TelemetryOptions } from '../../core/telemetry/telemetry-options.interface.js';
import type { ArgumentsOptions } from './arguments-options.interface.js';
import type { AuditOptions } from './audit-options.interface.js';
import type { AuthGuardClass } from './auth-guard-class.interface.js';
import type { AuthOptions } from './auth-options.interface.js';
import type { Cluster } from './cluster/cluster.interface.js';
import type { AppsOptions } from './extensions/app-options.interface.js';
import type { TasksOptions } from './extensions/tasks-options.interface.js';
import type { SkillsOptions } from './extensions/skills-options.interface.js';
import type { ExplorerOptions } from './explorer-options.interface.js';
import type { GlobalEnhancersOptions } from './global-enhancers-options.interface.js';
import type { EventsOptions } from './extensions/events-options.interface.js';
import type { LimitOptions, MemoryOptions } from './limit-options.interface.js';
import type { StateOptions } from './state-options.interface.js';
import type { ServerCardOptions } from './server-card-options.interface.js';
import type { ThrottleOptions } from './throttle-options.interface.js';
import type { ToolSearchOptions } from './tool-search-options.interface.js';
import type { HandlerVisibility, HandlerVisibilityClass } from './visibility.interface.js';

/**
 * Configures one MCP server.
 *
 * @example
 * McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } })
 */
export interface McpOptions {
  /** Names the server to clients (MCP `Implementation`). */
  readonly serverInfo: Implementation;
  /** Tells a model how to use the server as a whole. @default none */
  readonly instructions?: string;
  /** The path of the endpoint, absolute from the origin. @default '/mcp' */
  readonly mcpPath?: string;
  /** Puts the application's global prefix in front of `mcpPath`. @default false */
  readonly useGlobalPrefix?: boolean;
  /** Which of the application's global guards, interceptors, pipes and filters run on handlers too. Serializers always do. @default false: none of the others */
  readonly globalEnhancers?: boolean | GlobalEnhancersOptions;
  /** Shows all callers the message of unexpected errors; with `false`, none. @default only callers on this machine, unless `NODE_ENV` is `production` or `test` */
  readonly exposeErrors?: boolean;
  /** Keeps nothing between requests, so there are no sessions. Any number of processes can run behind a plain load balancer. @default false */
  readonly stateless?: boolean;
  /** Also serves the transport of 2024-11-05, for clients that know no other. `true` serves it at `/sse`. @default false */
  readonly sse?: boolean | SseOptions;
  /** Declares or hides areas, regardless of the entries in the catalogue when a client connects. */
  readonly capabilities?: DeclaredCapabilities;
  /** How the catalogue is shown. */
  readonly catalogue?: CatalogueOptions;
  /** How the arguments of tools are read. */
  readonly arguments?: ArgumentsOptions;
  /** Entries on one page of a list. @default 1000 */
  readonly pageSize?: number;
  /** How long clients may cache what they get. @default not at all: `ttlMs: 0`, `scope: 'private'` */
  readonly cache?: CacheHints;
  /** Milliseconds that any method may take. A tool's own `timeoutMs` takes precedence. @default no limit */
  readonly callTimeoutMs?: number;
  /** Makes several processes one server, for example by `redisCluster()` of `nestjs-mcp/redis`. Give all of them the same cluster and the same `secret`. @default this process is alone */
  readonly cluster?: Cluster;
  /** Signs the values that clients carry for the server. All processes need the same one. Of several, the first signs and all are accepted. @default random */
  readonly secret?: string | readonly string[];
  /** The day, such as `2027-01-31`, until which a starting process also accepts what the release before signed and encrypted with this `secret`. @default it is refused */
  readonly acceptFormerFormatUntil?: string;
  /** Bounds questions to clients. */
  readonly reverseCalls?: ReverseCallOptions;
  /** Bounds sessions. */
  readonly sessions?: SessionOptions;
  /** Bounds event streams. */
  readonly streams?: StreamOptions;
  /** How the server ends. */
  readonly shutdown?: ShutdownOptions;
  /** Bounds requests. */
  readonly limits?: LimitOptions;
  /** Limits calls of all handlers by `@nestjs/throttler`. @default false: only calls of handlers with `@Throttle()` on them or on their class */
  readonly throttle?: boolean | ThrottleOptions;
  /** Bounds the memory of everything that the server keeps for clients. */
  readonly memory?: MemoryOptions;
  /** Bounds what handlers keep for callers. */
  readonly state?: StateOptions;
  /** The URL by which clients reach the endpoint, and the audience of tokens: its origin and host are allowed. @default `auth.resourceUri` */
  readonly publicUrl?: string;
  /** Origins that browsers may send, in addition to loopback origins, for example `https://app.example.com`. `*` allows any. @default [] */
  readonly allowedOrigins?: readonly string[];
  /** Host names that requests may carry. If it is set, `Host` is checked on every connection. @default loopback names, on loopback connections */
  readonly allowedHosts?: readonly string[];
  /** Answers browsers' cross-origin requests: `true` for any origin. @default false */
  readonly cors?: boolean | CorsOptions;
  /** Lets tools run as tasks, whose results clients fetch later. `true` uses the defaults. @default false */
  readonly tasks?: boolean | TasksOptions;
  /** Requires a token for every request. `false` says that the server is open on purpose. @default none: the server is open */
  readonly auth?: AuthOptions | false;
  /** Serves the event sources of the application. `true` uses the defaults. Experimental. @default false */
  readonly events?: boolean | EventsOptions;
  /** Serves the server card at `<mcpPath>/server-card`, which describes the server to clients before they connect. `false` turns it off. @default true */
  readonly serverCard?: boolean | ServerCardOptions;
  /** Shows a page to browsers at the endpoint, with `true` only on this machine. A `guard` decides who sees it. @default true, and false if `NODE_ENV` is `production` */
  readonly explorer?: boolean | ExplorerOptions;
  /** Serves skills from folders. Providers with `@Skill()` need no option. @default none */
  readonly skills?: SkillsOptions;
  /** The place of the apps' pages, and who sees them. */
  readonly apps?: AppsOptions;
  /** Records spans and metrics with OpenTelemetry. @default nothing is recorded */
  readonly telemetry?: TelemetryOptions;
  /** How operations are audited. */
  readonly audit?: AuditOptions;
}

/** Areas to declare. By default, an area is declared if the catalogue has an entry in it. Logging is always declared. */
export interface DeclaredCapabilities {
  /** Tools that can be listed and called. @default whether there is one */
  readonly tools?: boolean;
  /** Prompts that can be listed and got. @default whether there is one */
  readonly prompts?: boolean;
  /** Resources that can be listed, read and subscribed to. @default whether there is one, or a template */
  readonly resources?: boolean;
  /** Suggestions for arguments. @default whether there is a completion, or a prompt with listed values */
  readonly completions?: boolean;
  /** Log entries for clients. @default true */
  readonly logging?: boolean;
}

/** How the catalogue is shown. */
export interface CatalogueOptions {
  /** Lists a union at the root of an `inputSchema` as one plain object, which hosts accept. Validation does not change. @default true */
  readonly flattenUnions?: boolean;
  /** Warns at start-up about tools that hosts refuse: any host, or one of these, such as `['OpenAI', 'VS Code']`. @default true */
  readonly hostWarnings?: boolean | readonly string[];
  /** Decides who sees the handlers: the class of a provider, or an instance. @default everybody, unless a handler has `visible` */
  readonly visibility?: HandlerVisibility | HandlerVisibilityClass;
  /** Lets clients search for tools. Only pinned tools are listed then. `true` uses the defaults. @default false */
  readonly search?: boolean | ToolSearchOptions;
}

/** Cache hints for lists and results (MCP 2026-07-28 server/utilities/caching). */
export interface CacheHints {
  /** The answer to `server/discover`. */
  readonly discover?: CacheHint;
  /** The list of tools. */
  readonly tools?: CacheHint;
  /** The list of prompts. */
  readonly prompts?: CacheHint;
  /** The list of resources. */
  readonly resources?: CacheHint;
  /** The list of resource templates. */
  readonly resourceTemplates?: CacheHint;
  /** The contents of resources that have no hint themselves. */
  readonly resourceContents?: CacheHint;
  /** The list of skills, and the details of one skill. */
  readonly skills?: CacheHint;
}

/** Bounds of questions to clients. */
export interface ReverseCallOptions {
  /** Milliseconds to wait for the answer of a client that has a session. @default 300_000 (5 minutes) */
  readonly timeoutMs?: number;
  /** Milliseconds within which a client without a session must send its answer. @default 3_600_000 (1 hour) */
  readonly stateLifetimeMs?: number;
}

/** Bounds of sessions. */
export interface SessionOptions {
  /** Milliseconds without a request or an open stream after which a session ends. @default 1_800_000 (30 minutes) */
  readonly idleTimeoutMs?: number;
  /** Milliseconds after which an unused session ends. A session is unused if it has only pinged since its handshake and has no open stream. @default 15_000 */
  readonly unusedTimeoutMs?: number;
  /** Sessions at once. Beyond that, the session that was idle longest ends. @default 10_000 */
  readonly maximumSessions?: number;
  /** Sessions of one caller at once, if callers are known. @default 1000 */
  readonly maximumSessionsPerIdentity?: number;
  /** Sessions of callers without a token at once. @default half of `maximumSessions` with `auth`, all of them without */
  readonly maximumAnonymousSessions?: number;
  /** Sessions of callers without a token at one address, for IPv6 its first 64 bits. Behind a proxy, set `trust proxy`. @default 1000 */
  readonly maximumSessionsPerAddress?: number;
  /** Milliseconds after which a session ends, even if it is in use. @default 86_400_000 (24 hours) */
  readonly lifetimeMs?: number;
  /** Takes over sessions that another process with the same `secret` opened, for example after a restart. @default false */
  readonly adopt?: boolean;
  /** Resources that one session may be subscribed to. @default 1000 */
  readonly maximumSubscriptions?: number;
  /** Characters of the URIs of these resources together. @default 262_144 */
  readonly maximumSubscriptionCharacters?: number;
  /** The most messages that a session keeps for a client that comes back. @default 256 */
  readonly eventLogSize?: number;
  /** Characters that these messages may have together. @default 1_048_576 */
  readonly eventLogCharacters?: number;
}

/** Bounds of event streams. */
export interface StreamOptions {
  /** Milliseconds after which the event stream of an unanswered call begins, if its client accepts one. 0 turns this off. @default 1000 */
  readonly beginAfterMs?: number;
  /** Milliseconds between keep-alive comments. @default 15_000 */
  readonly keepAliveMs?: number;
  /** The server closes a stream if its client reads too slowly: more than this many bytes are waiting. One message may always wait. @default 1_048_576 */
  readonly maximumQueuedBytes?: number;
  /** Milliseconds after which a disconnected client should come back. Clients of streams that the server ends are told up to half as many more, so that they do not all come back at once. @default 1000 */
  readonly retryMs?: number;
  /** Milliseconds after which a stream of a session ends, if its client can come back. @default 0, never */
  readonly maximumAgeMs?: number;
  /** `subscriptions/listen` streams at once. @default 10_000 */
  readonly maximumListeners?: number;
  /** `subscriptions/listen` streams of one caller at once, if callers are known. @default 1000 */
  readonly maximumListenersPerIdentity?: number;
}

/** How a server shuts down. It does so on SIGTERM after `app.enableShutdownHooks()`, or on `app.close()`. */
export interface ShutdownOptions {
  /** Milliseconds for which requests are still served after the readiness check fails, so that a load balancer notices. Without effect under `nestjs-mcp-cli dev`. @default 0: the server ends at once */
  readonly drainMs?: number;
  /** Milliseconds that running calls may take after that. Further requests are refused. @default 0; 10_000 with `drainMs` */
  readonly graceMs?: number;
}

/** Options of the transport of 2024-11-05 (MCP 2024-11-05 basic/transports, "HTTP with SSE"). */
export interface SseOptions {
  /** The path of its event stream, and of the messages that clients post. @default '/sse' */
  readonly path?: string;
}

/** Which browsers may call across origins. */
export interface CorsOptions {
  /** Origins, or `*` for any. */
  readonly origins: readonly string[];
  /** Seconds for which a browser keeps the answer to a preflight. @default 600 */
  readonly maxAgeSeconds?: number;
}

/** Settings of the module itself. They are known before any provider exists. */
export interface McpModuleExtras {
  /** The key of this server in an application with several. @default 'default' */
  readonly server?: string;
  /**
   * Makes this the default server. It gets the handlers that no `forFeature` assigns, and is injected if no server is
   * named. If you mark no server, the default is the one with the key `default`, or else the only one. @default false
   */
  readonly isDefault?: boolean;
  /** Makes the notifier and the catalogue injectable everywhere. @default true */
  readonly isGlobal?: boolean;
  /** Your own decorators for the generated controller, such as a public marker or a throttler skip. @default [] */
  readonly decorators?: readonly ClassDecorator[];
  /** The guard before the endpoint: a class that extends `McpAuthGuard`. @default McpAuthGuard */
  readonly authGuard?: AuthGuardClass;
}

/** Creates options if `forRootAsync` is given `useClass` or `useExisting`. */
export interface McpOptionsFactory {
  /** Returns the options of the server; it is called once. */
  createMcpOptions(): McpOptions | Promise<McpOptions>;
}
