import { Injectable } from '@nestjs/common';
import { declaresExtension } from '../../core/protocol/capabilities.js';
import { OutboundNotification } from '../../core/protocol/outbound-message.js';
import { Sealer } from '../../core/sealing/sealer.js';
import { SessionRegistry } from '../sessions/session-registry.js';
import type { Session } from '../sessions/session.js';
import type { ExtensionHandle } from './extension-handle.interface.js';
import type { McpExtension } from './extension.interface.js';
import { HostedCalls } from './hosted-calls.js';

/** Gives extensions their ways out: to sessions, to tools, and to what clients carry for them. */
@Injectable()
export class ExtensionOutlets {
  constructor(
    private readonly sessions: SessionRegistry,
    private readonly calls: HostedCalls,
    private readonly sealer: Sealer,
  ) {}

  /** Opens those of one extension. */
  open(extension: McpExtension): ExtensionHandle {
    const { id } = extension;
    return {
      notify: (...message) => this.#notify(id, ...message),
      tell: (sessionId, method, params, scopes) =>
        this.sessions.find(sessionId)?.emit(new OutboundNotification(method, params), scopes),
      callTool: (call, host) => this.calls.run(call, host, extension),
      seal: (value) => this.sealer.seal('extension', { id, value }),
      open: (sealed) => readValue(id, this.sealer.open('extension', sealed)),
    };
  }

  #notify(id: string, method: string, params?: object, sessionId?: string): void {
    const notification = new OutboundNotification(method, params);
    for (const session of this.#findSessions(sessionId)) {
      if (declaresExtension(session.client.capabilities, id)) session.emit(notification);
    }
  }

  #findSessions(sessionId: string | undefined): Iterable<Session> {
    if (sessionId === undefined) return this.sessions.all();
    const session = this.sessions.find(sessionId);
    return session === undefined ? [] : [session];
  }
}

/** What one extension gave is nothing to another. */
function readValue(id: string, opened: unknown): unknown {
  const sealed = opened as { readonly id: string; readonly value: unknown } | undefined;
  return sealed?.id === id ? sealed.value : undefined;
}
