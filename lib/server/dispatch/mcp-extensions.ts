import { isScope } from '../../core/oauth/scope.js';
import type { ExtensionScopes } from '../catalog/registries.js';
import type { CapabilitiesDeclaration } from '../methods/capabilities-declaration.js';
import type { ToolCallInterceptors } from '../methods/tools-call.method.js';
import { ExtensionSubscriptions } from '../notifications/extension-subscriptions.js';
import { assertExtensionId, assertExtension, ExtensionError } from './assert-extension.js';
import type { ExtensionHandle, ExtensionMethod, McpExtension } from './extension.interface.js';
import type { ServerSettings } from '../settings/server-settings.js';
import type { McpMethod } from '../methods/mcp-method.interface.js';
import type { IncomingNotifications } from './incoming-notifications.js';
import type { MethodTable } from './method-table.js';
import { SerializedResult, OutboundNotification } from '../../core/protocol/outbound-message.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import type { RequestContext } from '../context/request-context.js';
import { limitTime } from '../methods/time-limit.js';
import type { Sealer } from '../../core/sealing/sealer.js';
import type { NotificationPublisher } from '../notifications/notification-publisher.js';
import type { HostedCalls } from './hosted-calls.js';

/**
 * Registers protocol extensions. Register them in `onModuleInit`, because clients learn about extensions only during
 * initialization.
 *
 * @example
 * constructor(private readonly extensions: McpExtensions) {}
 *
 * onModuleInit() {
 *   this.handle = this.extensions.register(reports);
 * }
 */
export class McpExtensions {
  constructor(
    private readonly capabilities: CapabilitiesDeclaration,
    private readonly scopes: ExtensionScopes,
    private readonly methods: MethodTable,
    private readonly notifications: IncomingNotifications,
    private readonly subscriptions: ExtensionSubscriptions,
    private readonly interceptors: ToolCallInterceptors,
    private readonly outlets: ExtensionHandles,
    private readonly settings: Pick<ServerSettings, 'callTimeoutMs'> = {},
  ) {}

  /**
   * Adds an extension with its methods, notifications, subscriptions and interceptor, and declares it to clients.
   *
   * @throws {ExtensionError} if a property is unknown or malformed, if the declaration is not JSON, or if the id or a
   * name is taken. Also thrown if the id is reserved for the protocol and `published` is missing. In these cases,
   * nothing is added
   */
  register(extension: McpExtension): ExtensionHandle {
    assertExtension(extension);
    const { id, capabilities = {}, scopes = [] } = extension;
    const { methods = [], notifications = [], subscriptions = [] } = extension;
    assertExtensionId(extension);
    if (this.capabilities.declares(id)) throw new ExtensionError(id, 'is already registered');
    assertScopes(id, scopes);
    this.#assertFree(extension);
    assertTellable(extension);
    this.capabilities.declareExtension(extension);
    this.capabilities.declare(capabilities);
    this.scopes.add(scopes);
    for (const method of methods) this.methods.add(this.#build(id, method), method);
    for (const notification of notifications) this.notifications.add(id, notification);
    for (const subscription of subscriptions) this.subscriptions.add(subscription);
    this.interceptors.add(extension);
    return this.outlets.create(extension);
  }

  #build(id: string, method: ExtensionMethod): McpMethod {
    return buildExtensionMethod(id, method, this.settings.callTimeoutMs);
  }

  #assertFree({ id, methods = [], notifications = [], subscriptions = [] }: McpExtension): void {
    assertNames(id, 'method', { names: methods.map(({ method }) => method), holder: this.methods });
    assertNames(id, 'notification', {
      names: notifications.map(({ method }) => method),
      holder: this.notifications,
    });
    assertNames(id, 'filter property', {
      names: subscriptions.map(({ filter }) => filter),
      holder: this.subscriptions,
    });
  }
}

/** The names that an extension adds, and where existing names are looked up. */
interface ClientExtension {
  readonly names: readonly string[];
  readonly holder: { has(name: string): boolean };
}

/** An extension's declaration is sent to clients as JSON. */
function assertTellable({ id, config, published, capabilities }: McpExtension): void {
  for (const [member, value] of Object.entries({ config, published, capabilities })) {
    try {
      JSON.stringify(value);
    } catch (cause) {
      throw new ExtensionError(id, `must have a "${member}" that JSON can represent, without cycles`, {
        cause,
      });
    }
  }
}

function assertNames(id: string, kind: string, { names, holder }: ClientExtension): void {
  for (const [index, name] of names.entries()) {
    if (holder.has(name)) throw ExtensionError.taken(id, kind, name);
    if (names.indexOf(name) !== index) throw ExtensionError.namedTwice(id, kind, name);
  }
}

/** Scopes are sent in a header. */
function assertScopes(id: string, scopes: readonly string[]): void {
  if (scopes.every(isScope)) return;
  throw new ExtensionError(id, 'must have "scopes" such as "desk:write", without spaces');
}

/**
 * Adds an extension's method to the server for clients that declared the extension.
 *
 * @param timeoutMs the timeout, unless the method is long-running; no limit by default
 */
export function buildExtensionMethod(id: string, extension: ExtensionMethod, timeoutMs?: number): McpMethod {
  const { method, requiresDeclaration = true, longRunning = false } = extension;
  const limitMs = longRunning ? undefined : timeoutMs;
  const needsDeclaration =
    typeof requiresDeclaration === 'boolean' ? () => requiresDeclaration : requiresDeclaration;
  return {
    method,
    handle: async (context) => {
      if (needsDeclaration(context)) assertDeclared(id, context);
      // A long-running request has no time limit.
      const memory = longRunning ? context.memory?.transfer() : undefined;
      try {
        const result = await limitTime(context, limitMs, () => extension.handle(context));
        // A result that many requests share is already serialized.
        return (result as unknown) instanceof SerializedResult ? result : { ...result };
      } finally {
        memory?.release();
      }
    },
  };
}

/**
 * In a session, the client has known the extensions since initialization. For stateless clients, the response names
 * the missing one.
 */
function assertDeclared(id: string, context: RequestContext): void {
  if (context.hasExtension(id)) return;
  if (context.revision.kind === 'handshake') throw McpError.methodNotFound(context.method);
  throw McpError.missingCapability({ extensions: { [id]: {} } });
}

/** Creates the handles with which extensions send messages, call tools and sign values. */
export class ExtensionHandles {
  constructor(
    private readonly publisher: NotificationPublisher,
    private readonly calls: HostedCalls,
    private readonly sealer: Sealer,
    private readonly subscriptions: ExtensionSubscriptions = new ExtensionSubscriptions(),
  ) {}

  /** Creates the handle of one extension. */
  create(extension: McpExtension): ExtensionHandle {
    const { id } = extension;
    return {
      notify: (...message) => this.#notify(id, ...message),
      notifySession: (sessionId, method, params, scopes) =>
        this.publisher.publishToSession(sessionId, new OutboundNotification(method, params), {
          ...(scopes && { scopes }),
        }),
      publish: (...message) => this.#publish(extension, ...message),
      callTool: (call, host) => this.calls.run(call, host, extension),
      sign: (value) => this.sealer.seal('extension', { id, value }),
      verify: (sealed) => readValue(id, this.sealer.open('extension', sealed)),
    };
  }

  #notify(id: string, method: string, params?: object, sessionId?: string): void {
    const notification = new OutboundNotification(method, params);
    if (sessionId === undefined) return this.publisher.publish({ extension: id }, notification);
    const session = this.publisher.findKey(sessionId);
    if (session !== undefined) this.publisher.publish({ extension: id, session }, notification);
  }

  #publish(
    { id, subscriptions = [] }: McpExtension,
    ...[filter, method, params = {}, to]: Parameters<ExtensionHandle['publish']>
  ): void {
    if (!subscriptions.some((subscription) => subscription.filter === filter)) {
      throw new ExtensionError(
        id,
        `has no subscription "${filter}" to publish to: use one that it registered`,
      );
    }
    this.subscriptions.publish({ filter, method, params, ...(to !== undefined && { to }) });
  }
}

/** Values that another extension signed are ignored. */
function readValue(id: string, opened: unknown): unknown {
  const sealed = opened as { readonly id: string; readonly value: unknown } | undefined;
  return sealed?.id === id ? sealed.value : undefined;
}
