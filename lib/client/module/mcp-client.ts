import type {
  CallToolResult,
  Client,
  CompleteResult,
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  RequestOptions,
  Resource,
  ResourceTemplateType,
  Tool,
} from '@modelcontextprotocol/client';
import { EMPTY, Subject, switchMap, type Observable } from 'rxjs';
import { ClientLink } from './connection/client-link.js';
import type { Connection, McpClientState, ServerNotification } from './connection/connection.js';
import { openConnection } from './connection/open-connection.js';
import type { InputRequests } from './handlers/input-requests.js';
import { ChangeListener } from './listening/change-listener.js';
import { ResourceSubscriptions, type ResourceUpdate } from './listening/resource-subscriptions.js';
import { ClientLists } from './lists/client-lists.js';
import { findChangedFamily } from './lists/list-families.js';
import {
  buildCompletion,
  buildForwardedParams,
  buildRequestOptions,
  type McpCallOptions,
  type McpCompletionRequest,
  type McpListOptions,
  type McpRequestOptions,
} from './mcp-client-calls.js';
import type { ClientSettings } from './options/client-settings.js';
import { McpClientSkills } from './skills/mcp-client-skills.js';
import { ToolCalls } from './tasks/tool-calls.js';

/**
 * A client for one MCP server. It connects on first use, reconnects when the connection is lost, and is closed with
 * the application.
 *
 * @example
 * class Tickets {
 *   constructor(@InjectMcpClient('desk') private readonly desk: McpClient) {}
 *   close(id: number) {
 *     return this.desk.callTool('close', { id });
 *   }
 * }
 */
export class McpClient {
  /** Notifications from the server; completes when the client is closed. */
  readonly notifications$: Observable<ServerNotification>;
  /** The state of the connection to the server, now and at each change; completes when the client is closed. */
  readonly state$: Observable<McpClientState>;
  /** The server's skills. */
  readonly skills: McpClientSkills;
  readonly #calls: ToolCalls;
  readonly #link: ClientLink;
  readonly #listener: ChangeListener;
  readonly #lists: ClientLists;
  readonly #subscriptions: ResourceSubscriptions;

  /** Clients are created by `McpClientModule`. */
  constructor(
    private readonly settings: ClientSettings,
    inputRequests: InputRequests,
  ) {
    const { timeoutMs } = settings;
    const link = new ClientLink(settings, (signal) => openConnection({ settings, inputRequests, signal }));
    const notifications = new Subject<ServerNotification>();
    this.#link = link;
    this.state$ = link.state$;
    this.notifications$ = notifications.asObservable();
    const listener = new ChangeListener({ link, settings, onGap: () => this.#lists.invalidate() });
    this.#listener = listener;
    this.#lists = new ClientLists({ link, listener, timeoutMs });
    const { notifications$ } = this;
    this.#subscriptions = new ResourceSubscriptions({ link, listener, notifications$, timeoutMs });
    this.#calls = new ToolCalls({ link, settings, inputRequests, notifications$, lists: this.#lists });
    this.skills = new McpClientSkills({ link, settings, notifications$ });
    this.#listen(notifications);
  }

  /** The name used to inject the client. */
  get name(): string {
    return this.settings.name;
  }

  /** The state of the connection to the server. */
  get state(): McpClientState {
    return this.#link.state;
  }

  /**
   * Connects, unless the client is already connected.
   *
   * @throws {McpClientUnavailableError} if the server cannot be reached
   */
  async connect(signal?: AbortSignal): Promise<void> {
    await this.#link.acquire(signal);
  }

  /**
   * Returns the connection's official client, for everything that this class has no method for. Get it for each use:
   * it closes with its connection, which also ends its subscriptions.
   */
  official(): Promise<Client> {
    return this.#link.official();
  }

  /** Returns the server's tools, from the cached list unless it is stale. */
  listTools({ signal }: McpListOptions = {}): Promise<readonly Tool[]> {
    return this.#lists.get('tools', signal);
  }

  /** Returns the server's resources, from the cached list unless it is stale. */
  listResources({ signal }: McpListOptions = {}): Promise<readonly Resource[]> {
    return this.#lists.get('resources', signal);
  }

  /** Returns the server's resource templates, from the cached list unless it is stale. */
  listResourceTemplates({ signal }: McpListOptions = {}): Promise<readonly ResourceTemplateType[]> {
    return this.#lists.get('resourceTemplates', signal);
  }

  /** Returns the server's prompts, from the cached list unless it is stale. */
  listPrompts({ signal }: McpListOptions = {}): Promise<readonly Prompt[]> {
    return this.#lists.get('prompts', signal);
  }

  /**
   * Calls a tool. If the tool fails, its result has `isError`. If the server turns the call into a task, the client
   * follows the task to its end.
   *
   * @throws {McpTaskEndedError} if the task ended without a result
   * @throws {McpClientLimitedError} if the server limits requests for longer than the call may wait
   * @see MCP server/tools
   */
  callTool(
    name: string,
    args: { readonly [name: string]: unknown } = {},
    options: McpCallOptions = {},
  ): Promise<CallToolResult> {
    return this.#calls.call({ name, arguments: { ...args } }, options);
  }

  /** Reads a resource (MCP server/resources). */
  readResource(uri: string, options: McpRequestOptions = {}): Promise<ReadResourceResult> {
    return this.#ask(options, (client, request, connection) =>
      client.readResource({ uri, ...buildForwardedParams(options, connection) }, request),
    );
  }

  /** Returns a prompt's messages for its arguments (MCP server/prompts). */
  getPrompt(
    name: string,
    args: { readonly [name: string]: string } = {},
    options: McpRequestOptions = {},
  ): Promise<GetPromptResult> {
    const params = { name, arguments: { ...args } };
    return this.#ask(options, (client, request, connection) =>
      client.getPrompt({ ...params, ...buildForwardedParams(options, connection) }, request),
    );
  }

  /** Returns the values that an argument may have (MCP server/utilities/completion). */
  async complete(
    wanted: McpCompletionRequest,
    options: McpRequestOptions = {},
  ): Promise<CompleteResult['completion']> {
    const params = buildCompletion(wanted);
    const result = await this.#ask(options, (client, request) => client.complete(params, request));
    return result.completion;
  }

  /**
   * Observes a resource. Emits when the server reports a change, and when a change may have been missed. Fails if the
   * server does not support subscriptions.
   */
  subscribe(uri: string): Observable<ResourceUpdate> {
    return this.#subscriptions.observe(uri);
  }

  /** Checks whether the server responds. */
  async ping(options: McpRequestOptions = {}): Promise<void> {
    await this.#ask<unknown>(options, (client, request, { isPerRequest }) =>
      isPerRequest ? client.discover(request) : client.ping(request),
    );
  }

  /** Closes the client permanently. In-flight calls fail. The application also closes it at shutdown. */
  async close(): Promise<void> {
    this.#stopListening();
    await this.#link.close();
  }

  /** Rejects new calls, and closes the client once in-flight calls and their tasks have ended. */
  async retire(): Promise<void> {
    // Otherwise, cached lists would still be returned.
    this.#lists.invalidate();
    await this.#link.retire();
    await this.close();
  }

  /** Sends a read-only request, and resends it if the connection is lost. */
  #ask<Result>(
    options: McpRequestOptions,
    send: (client: Client, request: RequestOptions, connection: Connection) => Promise<Result>,
  ): Promise<Result> {
    const request = buildRequestOptions(options, this.settings.timeoutMs);
    return this.#link.use((client, connection) => send(client, request, connection), {
      ...options,
      isRepeatable: true,
    });
  }

  #stopListening(): void {
    this.#subscriptions.close();
    this.#listener.close();
  }

  /** Invalidates lists on each new connection, because the server may have changed. */
  #listen(notifications: Subject<ServerNotification>): void {
    const notified$ = this.#link.connection$.pipe(
      switchMap((connection) => {
        this.#lists.invalidate();
        connection?.watch.onGap(() => this.#lists.invalidate());
        return connection?.notifications$ ?? EMPTY;
      }),
    );
    notified$.subscribe({
      next: (notification) => {
        const family = findChangedFamily(notification.method);
        if (family !== undefined) this.#lists.invalidate(family);
        notifications.next(notification);
      },
      complete: () => notifications.complete(),
    });
  }
}
