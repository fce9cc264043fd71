import type { ClientCapabilities } from '@modelcontextprotocol/client';
import type { FactoryProvider, ModuleMetadata, Type } from '@nestjs/common';
import * as check from '../../../core/checks/option-checks.js';
import { asserting, type Check } from '../../../core/checks/option-checks.js';
import { nested, optionGroup, selectChecks, type Rows } from '../../../core/checks/option-group.js';
import { MAXIMUM_RESPONSE_BYTES } from '../../../core/network/limited-fetch.js';
import { isScope } from '../../../core/oauth/scope.js';
import { isHostName } from '../../../core/oauth/secure-url.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import { TELEMETRY, type TelemetryOptions } from '../../../core/telemetry/telemetry-options.js';
import type { TokenSource } from '../../authorization/token-source.js';
import { McpClientConfigurationError } from '../errors.js';

/** How a client reconnects to a server. */
export interface ReconnectOptions {
  /**
   * The delay before the second attempt, in milliseconds. Each further delay is twice as long, and part of each is
   * random. @default 250
   */
  readonly initialDelayMs?: number | undefined;
  /** The maximum delay between two attempts, in milliseconds, even if `Retry-After` is longer. @default 30000 */
  readonly maxDelayMs?: number | undefined;
  /** The maximum number of consecutive attempts. Afterwards, the client is idle until its next use. @default 10 */
  readonly maxAttempts?: number | undefined;
  /** How long a call waits for the connection, in milliseconds. @default 10000 */
  readonly waitMs?: number | undefined;
}

export const RECONNECT = optionGroup<ReconnectOptions>({
  initialDelayMs: [check.milliseconds, 250],
  maxDelayMs: [check.milliseconds, 30_000],
  maxAttempts: [check.positive, 10],
  waitMs: [check.milliseconds, 10_000],
});

/** How calls that became tasks are followed. */
export interface FollowTasksOptions {
  /** How long a task is followed, in milliseconds. Afterwards, it is cancelled. @default 3600000 */
  readonly maxMs?: number | undefined;
}

export const FOLLOW_TASKS = optionGroup<FollowTasksOptions>({ maxMs: [check.milliseconds, 3_600_000] });

/** The tokens that a client requests on behalf of a caller (RFC 8693). */
export interface ExchangeOptions {
  /** The server's name at the authorization server, or several names. @default none */
  readonly audience?: string | readonly string[] | undefined;
  /** The server's URL at the authorization server (RFC 8707), or several. @default `url`; none with `audience` */
  readonly resource?: string | readonly string[] | undefined;
  /** Scopes that the token must have. @default left to the authorization server */
  readonly scopes?: readonly string[] | undefined;
}

const scope: Check = (member, value) => {
  if (typeof value !== 'string' || !isScope(value)) check.fail(member, 'must be one scope, without spaces');
};

const EXCHANGE = optionGroup<ExchangeOptions, keyof ExchangeOptions>({
  audience: check.oneOrMore(check.nonEmptyString),
  resource: check.oneOrMore(check.nonEmptyString),
  scopes: check.list(scope),
});

/** Limits on the clients that act on behalf of callers. */
export interface CallerClientsOptions {
  /**
   * The maximum number of clients, not counting clients that are only finishing their calls. Beyond it, the least
   * recently used one is closed.
   * @default 100
   */
  readonly maximum?: number | undefined;
  /** How long a client may be unused before it is closed, in milliseconds. @default 600000 */
  readonly idleTimeoutMs?: number | undefined;
}

export const CALLERS = optionGroup<CallerClientsOptions>({
  maximum: [check.positive, 100],
  idleTimeoutMs: [check.milliseconds, 600_000],
});

/** Options of every client. */
export interface SharedClientOptions {
  /** Capabilities to declare, in addition to the capabilities of the application's handlers. @default {} */
  readonly capabilities?: ClientCapabilities | undefined;
  /**
   * The name and version that the client reports to servers. @default { name: <its injection name>, version: '0.0.0'
   * }
   */
  readonly clientInfo?: { readonly name: string; readonly version: string } | undefined;
  /**
   * The protocol revisions: `auto` negotiates with the server, `legacy` starts a session without negotiation, `pin`
   * requires one revision.
   *
   * @default 'auto'
   */
  readonly negotiation?: 'auto' | 'legacy' | { readonly pin: string } | undefined;
  /** A request's timeout, in milliseconds. Progress restarts it. @default 60000 */
  readonly timeoutMs?: number | undefined;
  /** How long a call may wait, in total, for a server that limits requests before it fails, in milliseconds. @default 0 */
  readonly limitWaitMs?: number | undefined;
  /**
   * The maximum size of a response, of an event in a stream, or of all pages of a list, in bytes after decoding.
   * Larger responses fail with `McpResponseTooLargeError`.
   * @default 8388608, 8 MB
   */
  readonly maxResponseBytes?: number | undefined;
  /**
   * Whether the application waits at startup until the client is connected. @default false: the first use connects
   */
  readonly connectOnStart?: boolean | undefined;
  /** How the client reconnects. With `false`, it tries once, on use. @default {} */
  readonly reconnect?: false | ReconnectOptions | undefined;
  /** How tasks are followed. With `false`, the client does not declare tasks. @default {} */
  readonly tasks?: false | FollowTasksOptions | undefined;
  /** Records spans and metrics with OpenTelemetry, and propagates the trace to the server. @default nothing is recorded */
  readonly telemetry?: TelemetryOptions | undefined;
}

const pinned = check.properties({ pin: check.required(check.nonEmptyString, '"2026-07-28"') });

const negotiation: Check = (member, value) => {
  if (value === 'auto' || value === 'legacy') return;
  if (!isObject(value)) check.fail(member, 'must be "auto", "legacy" or { pin: "2026-07-28" }');
  pinned(member, value);
};

/** The options without a fixed default that every client has. */
type OpenSharedOption = 'clientInfo' | 'telemetry';

const SHARED: Rows<SharedClientOptions, OpenSharedOption> = {
  capabilities: [check.object, {}],
  clientInfo: check.properties({
    name: check.required(check.nonEmptyString, '"desk"'),
    version: check.required(check.nonEmptyString, '"1.0.0"'),
  }),
  negotiation: [negotiation, 'auto'],
  timeoutMs: [check.milliseconds, 60_000],
  limitWaitMs: [check.millisecondsOrNone, 0],
  maxResponseBytes: [check.positive, MAXIMUM_RESPONSE_BYTES],
  connectOnStart: [check.flag, false],
  reconnect: [nested(check.unlessFalse(RECONNECT.check), RECONNECT), {}],
  tasks: [nested(check.unlessFalse(FOLLOW_TASKS.check), FOLLOW_TASKS), {}],
  telemetry: TELEMETRY,
};

/** The options that every client has, over HTTP and stdio. */
export const SHARED_CLIENT = optionGroup<SharedClientOptions, OpenSharedOption>(SHARED);

/** A server reached over Streamable HTTP. */
export interface HttpClientOptions extends SharedClientOptions {
  /** The MCP endpoint, such as `https://desk.example.com/mcp`. */
  readonly url: string;
  /** Provides the tokens; absent if the server requires none. */
  readonly auth?: TokenSource | undefined;
  /** Headers to send with each request to the server. @default {} */
  readonly headers?: { readonly [name: string]: string } | undefined;
  /**
   * Hosts that may receive tokens over plain `http`, such as `desk` in a container network. Anyone on the network
   * path can read them.
   * @default []
   */
  readonly insecureHosts?: readonly string[] | undefined;
  /** Sends the requests. @default the global `fetch` */
  readonly fetch?: typeof fetch | undefined;
  /**
   * The tokens to request when the client acts on behalf of a caller. With `false`, each caller has a connection, but all use
   * `auth`.
   * @default {}
   */
  readonly exchange?: false | ExchangeOptions | undefined;
  /** Limits on the clients that act on behalf of callers. @default {} */
  readonly callers?: CallerClientsOptions | undefined;
}

/** `fetch` rejects URLs with a user or a password. */
const serverUrl: Check = (member, value) => {
  if (typeof value !== 'string' || !URL.canParse(value) || !/^https?:/.test(value)) {
    check.fail(member, 'must be a URL such as "https://desk.example.com/mcp"');
  }
  const { username, password } = new URL(value);
  if (username !== '' || password !== '')
    check.fail(member, 'must not contain a user or password: use "headers"');
};

const textMembers: Check = (member, value) => {
  check.object(member, value);
  for (const [name, one] of Object.entries(value as object)) check.string(`${member}.${name}`, one);
};

const tokenSource: Check = (member, value) => {
  if (isObject(value) && typeof value['token'] === 'function') return;
  const fitting =
    typeof value === 'string' ? 'StaticTokenSource("…")' : 'ClientCredentialsTokenSource({ … })';
  check.fail(member, `must be a token source, for example new ${fitting}`);
};

const sender: Check = (member, value) => {
  if (typeof value !== 'function') check.fail(member, 'must be a function like the global "fetch"');
};

const host: Check = (member, value) => {
  if (!isHostName(value)) check.fail(member, 'must be a host such as "desk", without scheme, port or path');
};

export const HTTP_CLIENT = optionGroup<HttpClientOptions, OpenSharedOption | 'auth' | 'fetch'>({
  ...SHARED,
  url: serverUrl,
  insecureHosts: [check.list(host), []],
  auth: tokenSource,
  headers: [textMembers, {}],
  fetch: sender,
  exchange: [nested(check.unlessFalse(EXCHANGE.check), EXCHANGE), {}],
  callers: [CALLERS, {}],
});

/** A server that the client starts as a process and communicates with over standard input and output. */
export interface StdioClientOptions extends SharedClientOptions {
  /** The program to start. */
  readonly command: string;
  /** Arguments of the program. @default [] */
  readonly args?: readonly string[] | undefined;
  /** Environment variables, in addition to the few that are safe to inherit. @default {} */
  readonly env?: { readonly [name: string]: string } | undefined;
  /** Its working directory. @default the application's working directory */
  readonly cwd?: string | undefined;
  /** Whether its standard error is forwarded to the application's standard error, or discarded. @default 'inherit' */
  readonly stderr?: 'inherit' | 'ignore' | undefined;
  /** With `false`, the client can act on behalf of callers: each has a process. @default it cannot, because a process has no tokens */
  readonly exchange?: false | undefined;
  /** Limits on the clients that act on behalf of callers. @default {} */
  readonly callers?: CallerClientsOptions | undefined;
}

const noExchange: Check = (member, value) => {
  if (value !== false) check.fail(member, 'must be false: a process has no tokens to exchange');
};

export const STDIO_CLIENT = optionGroup<StdioClientOptions, OpenSharedOption | 'cwd' | 'exchange'>({
  ...SHARED,
  command: check.nonEmptyString,
  args: [check.list(check.string), []],
  env: [textMembers, {}],
  cwd: check.nonEmptyString,
  stderr: [check.oneOf('inherit', 'ignore'), 'inherit'],
  exchange: noExchange,
  callers: [CALLERS, {}],
});

/** How a client reaches its server. */
export type McpClientOptions = HttpClientOptions | StdioClientOptions;

/** A client to register: its options, and its injection name. */
export type McpClientRegistration = McpClientOptions & { readonly name: string };

/**
 * Checks the argument of `McpClientModule.forRoot`.
 *
 * @throws {McpClientConfigurationError} that names the first invalid property
 */
export function assertRegistrations(given: unknown): asserts given is readonly McpClientRegistration[] {
  assertNamed(given);
  for (const [index, { name: _name, ...options }] of given.entries()) {
    assertClientOptions(`clients[${index}]`, options);
  }
}

/**
 * Checks that the value is an array of clients with different names.
 *
 * @throws {McpClientConfigurationError} that names the first invalid property
 */
export function assertNamed(given: unknown): asserts given is readonly { readonly name: string }[] {
  asserting(McpClientConfigurationError, () => checkNames(given));
}

/**
 * Checks the options of one client.
 *
 * @param parent the prefix of the property names, for example `clients[1]`
 * @throws {McpClientConfigurationError} that names the first invalid property
 */
export function assertClientOptions(parent: string, options: unknown): asserts options is McpClientOptions {
  asserting(McpClientConfigurationError, () => checkClient(parent, options));
}

function checkNames(given: unknown): void {
  if (!Array.isArray(given)) {
    check.fail('clients', 'must be an array such as [{ name: "desk", url: "https://desk.example.com/mcp" }]');
  }
  const names = new Set<unknown>();
  for (const [index, client] of (given as readonly unknown[]).entries()) {
    const member = `clients[${index}]`;
    if (!isObject(client)) check.fail(member, 'must be an object with "name" and "url" or "command"');
    const name = client['name'];
    check.nonEmptyString(`${member}.name`, name);
    if (names.has(name)) check.fail(`${member}.name`, `is already taken: give each client a unique name`);
    names.add(name);
  }
}

function checkClient(parent: string, options: unknown): void {
  if (!isObject(options)) check.fail(parent, 'must be an object with "url" or "command"');
  const { url, command } = options;
  if (url !== undefined && command !== undefined) {
    check.fail(
      `${parent}.command`,
      'cannot be combined with "url": a server is reached in one of the two ways',
    );
  }
  if (url === undefined && command === undefined) {
    // Probably one of them is misspelled, and the misspelled property is the better hint.
    check.assertProperties(parent, options, {
      ...selectChecks(HTTP_CLIENT.rows),
      ...selectChecks(STDIO_CLIENT.rows),
    });
    check.fail(
      `${parent}.url`,
      'is required: set it to a value such as "https://desk.example.com/mcp", or set "command"',
    );
  }
  (command === undefined ? HTTP_CLIENT : STDIO_CLIENT).check(parent, options);
}

/** Supplies a client's options. */
export interface McpClientOptionsFactory {
  createMcpClientOptions(): McpClientOptions | Promise<McpClientOptions>;
}

/** A client to register, with options from other providers. */
export interface McpClientAsyncRegistration {
  /** The name used to inject the client. */
  readonly name: string;
  /** Modules that export the providers to inject. @default [] */
  readonly imports?: NonNullable<ModuleMetadata['imports']>;
  /** The providers that are passed to the factory. @default [] */
  readonly inject?: NonNullable<FactoryProvider['inject']>;
  /** Returns the options. */
  readonly useFactory?: (...args: never[]) => McpClientOptions | Promise<McpClientOptions>;
  /** A class that supplies the options, provided in this module. */
  readonly useClass?: Type<McpClientOptionsFactory>;
  /** A class that supplies the options, provided in another module. */
  readonly useExisting?: Type<McpClientOptionsFactory>;
}
