import { Injectable } from '@nestjs/common';
import { CapabilitiesDeclaration } from '../methods/capabilities-declaration.js';
import { ToolCallInterceptors } from '../methods/tool-call-interceptors.js';
import type { ClientCapabilities } from '../protocol/capabilities.js';
import { OutboundNotification } from '../protocol/outbound-message.js';
import { SessionRegistry } from '../sessions/session-registry.js';
import type { Session } from '../sessions/session.js';
import { buildExtensionMethod } from './extension-method.js';
import { ExtensionError } from './extension.error.js';
import type { McpExtension } from './extension.interface.js';
import { IncomingNotifications } from './incoming-notifications.js';
import { MethodTable } from './method-table.js';

/** Sends an extension's notifications. */
export interface ExtensionHandle {
  /**
   * Tells every session that declared the extension, or the one named among them.
   *
   * @param sessionId the only session that is to be told
   */
  notify(method: string, params?: object, sessionId?: string): void;
}

/** A reverse-DNS prefix and a name (MCP basic, "_meta"). */
const EXTENSION_ID =
  /^[a-z](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z](?:[a-z0-9-]*[a-z0-9])?)+\/[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?$/i;

/**
 * Registers extensions of the protocol. Register in `onModuleInit`: what a client is told at its handshake stays.
 *
 * @example
 * constructor(private readonly extensions: McpExtensions) {}
 *
 * onModuleInit() {
 *   this.handle = this.extensions.register(reports);
 * }
 */
@Injectable()
export class McpExtensions {
  readonly #ids = new Set<string>();

  constructor(
    private readonly capabilities: CapabilitiesDeclaration,
    private readonly methods: MethodTable,
    private readonly notifications: IncomingNotifications,
    private readonly interceptors: ToolCallInterceptors,
    private readonly sessions: SessionRegistry,
  ) {}

  /**
   * Adds an extension with its methods, notifications and interceptor, and declares it to clients.
   *
   * @throws {ExtensionError} where its id is not one or is taken, or one of its methods is
   */
  register(extension: McpExtension): ExtensionHandle {
    const { id, methods = [], notifications = [] } = extension;
    this.#assertId(id);
    for (const { method } of methods) this.#assertFree(id, method);
    this.#ids.add(id);
    this.capabilities.declareExtension(extension);
    for (const method of methods) {
      this.methods.add(buildExtensionMethod(id, method), method.revisions);
    }
    for (const notification of notifications) this.notifications.add(id, notification);
    this.interceptors.add(extension);
    return { notify: (...message) => this.#notify(id, ...message) };
  }

  #notify(id: string, method: string, params?: object, sessionId?: string): void {
    const notification = new OutboundNotification(method, params);
    for (const session of this.#findSessions(sessionId)) {
      if (declares(session.client.capabilities, id)) session.emit(notification);
    }
  }

  #findSessions(sessionId: string | undefined): Iterable<Session> {
    if (sessionId === undefined) return this.sessions.all();
    const session = this.sessions.find(sessionId);
    return session === undefined ? [] : [session];
  }

  #assertId(id: string): void {
    if (!EXTENSION_ID.test(id)) {
      throw new ExtensionError(id, 'must have an id such as "com.example/reports"');
    }
    if (this.#ids.has(id)) throw new ExtensionError(id, 'is registered already');
  }

  #assertFree(id: string, method: string): void {
    if (this.methods.has(method)) {
      throw new ExtensionError(id, `cannot add the method "${method}": there is one of that name`);
    }
  }
}

function declares({ extensions }: ClientCapabilities, id: string): boolean {
  return extensions !== undefined && Object.hasOwn(extensions, id);
}
