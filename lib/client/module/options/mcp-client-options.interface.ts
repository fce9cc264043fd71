import type { ClientCapabilities } from '@modelcontextprotocol/client';
import type { TelemetryOptions } from '../../../core/telemetry/telemetry-options.interface.js';
import type { TokenSource } from '../../authorization/token-source.interface.js';

/** How a client reconnects to a server. */
export interface ReconnectOptions {
  /** Milliseconds before the second attempt. Each further wait is twice as long. A part of each wait is random. @default 250 */
  readonly initialDelayMs?: number | undefined;
  /** The most milliseconds between two attempts, also if `Retry-After` asks for more. @default 30000 */
  readonly maximumDelayMs?: number | undefined;
  /** Attempts in a row. After them, the client rests until it is used again. @default 10 */
  readonly maximumAttempts?: number | undefined;
  /** Milliseconds that a call waits for the connection. @default 10000 */
  readonly waitMs?: number | undefined;
}

/** How calls that became tasks are followed. */
export interface FollowTasksOptions {
  /** Milliseconds for which one task is followed. After that, it is cancelled. @default 3600000 */
  readonly maximumMs?: number | undefined;
}

/** The tokens that a client asks for when it acts for a caller of this application (RFC 8693). */
export interface ExchangeOptions {
  /** The name of the server at the authorization server, or several names. @default none */
  readonly audience?: string | readonly string[] | undefined;
  /** The URL of the server at the authorization server (RFC 8707), or several. @default `url`; none with `audience` */
  readonly resource?: string | readonly string[] | undefined;
  /** Scopes that the token must have. @default left to the authorization server */
  readonly scopes?: readonly string[] | undefined;
}

/** Bounds of the clients that act for callers. */
export interface CallerClientsOptions {
  /**
   * Clients at once, not counting those that only finish their calls. Beyond that, the least recently used one is
   * closed.
   * @default 100
   */
  readonly maximum?: number | undefined;
  /** Milliseconds after which a client that nobody asks for is closed. @default 600000 */
  readonly idleTimeoutMs?: number | undefined;
}

/** Options of every client. */
export interface SharedClientOptions {
  /** What the client declares, in addition to what the application's handlers declare. @default {} */
  readonly capabilities?: ClientCapabilities | undefined;
  /** The name and version of the client for servers. @default { name: <the name it is injected by>, version: '0.0.0' } */
  readonly clientInfo?: { readonly name: string; readonly version: string } | undefined;
  /**
   * Which revisions it speaks: `auto` asks the server, `legacy` begins a session without asking, `pin` insists on one.
   *
   * @default 'auto'
   */
  readonly negotiation?: 'auto' | 'legacy' | { readonly pin: string } | undefined;
  /** Milliseconds that a request waits for its answer; progress starts the time again. @default 60000 */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds that a call may wait, in all, for a server that limits requests; then it fails. @default 0 */
  readonly limitWaitMs?: number | undefined;
  /**
   * The most bytes that the server may send in one response, in one event of a stream, or in all pages of a list, after
   * decoding. What is larger fails with `McpResponseTooLargeError`.
   * @default 8388608, 8 MB
   */
  readonly maximumResponseBytes?: number | undefined;
  /** Whether the application starts only once the client is connected. @default false: the first use connects */
  readonly connectOnStart?: boolean | undefined;
  /** How it reconnects; with `false` it tries once, when it is used. @default {} */
  readonly reconnect?: false | ReconnectOptions | undefined;
  /** How tasks are followed; with `false` the client does not declare tasks. @default {} */
  readonly tasks?: false | FollowTasksOptions | undefined;
  /** Records spans and metrics with OpenTelemetry, and passes the trace on to the server. @default nothing is recorded */
  readonly telemetry?: TelemetryOptions | undefined;
}

/** A server that is reached over Streamable HTTP. */
export interface HttpClientOptions extends SharedClientOptions {
  /** The MCP endpoint, such as `https://desk.example.com/mcp`. */
  readonly url: string;
  /** Gives the tokens; absent if the server is open. */
  readonly auth?: TokenSource | undefined;
  /** Headers of each request to the server. @default {} */
  readonly headers?: { readonly [name: string]: string } | undefined;
  /**
   * Hosts that may get tokens by plain `http`, such as `desk` in a network of containers. Anyone on the network path
   * can read them.
   * @default []
   */
  readonly insecureHosts?: readonly string[] | undefined;
  /** What sends requests. @default the global `fetch` */
  readonly fetch?: typeof fetch | undefined;
  /** The tokens to ask for if the client acts for a caller. @default {} */
  readonly exchange?: ExchangeOptions | undefined;
  /** Bounds of the clients that act for callers. @default {} */
  readonly callers?: CallerClientsOptions | undefined;
}

/** A server that the client starts as a process, and talks to over standard input and output. */
export interface StdioClientOptions extends SharedClientOptions {
  /** The program to start. */
  readonly command: string;
  /** Arguments of the program. @default [] */
  readonly args?: readonly string[] | undefined;
  /** Variables of its environment, in addition to the few that are harmless to inherit. @default {} */
  readonly env?: { readonly [name: string]: string } | undefined;
  /** Where it runs. @default where the application runs */
  readonly cwd?: string | undefined;
  /** Where its standard error goes: to the application's standard error, or nowhere. @default 'inherit' */
  readonly stderr?: 'inherit' | 'ignore' | undefined;
}

/** How a client reaches its server. */
export type McpClientOptions = HttpClientOptions | StdioClientOptions;

/** A client to register: its options, and the name it is injected by. */
export type McpClientRegistration = McpClientOptions & { readonly name: string };
