import { OutboundNotification } from '../../core/protocol/outbound-message.js';
import type { Sealer } from '../../core/sealing/sealer.js';
import { AddedSubscriptions } from '../notifications/added-subscriptions.js';
import type { Announcer } from '../notifications/announcing/announcer.js';
import type { ExtensionHandle, McpExtension } from './extension.interface.js';
import { ExtensionError } from './assert-extension-members.js';
import type { HostedCalls } from './hosted-calls.js';

/** Gives extensions their ways out: to sessions, to tools, and to what clients carry for them. */
export class ExtensionOutlets {
  constructor(
    private readonly announcer: Announcer,
    private readonly calls: HostedCalls,
    private readonly sealer: Sealer,
    private readonly subscriptions: AddedSubscriptions = new AddedSubscriptions(),
  ) {}

  /** Opens those of one extension. */
  open(extension: McpExtension): ExtensionHandle {
    const { id } = extension;
    return {
      notify: (...message) => this.#notify(id, ...message),
      notifySession: (sessionId, method, params, scopes) =>
        this.announcer.announceTo(sessionId, new OutboundNotification(method, params), {
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
    if (sessionId === undefined) return this.announcer.announce({ extension: id }, notification);
    const session = this.announcer.findKey(sessionId);
    if (session !== undefined) this.announcer.announce({ extension: id, session }, notification);
  }

  #publish(
    { id, subscriptions = [] }: McpExtension,
    ...[filter, method, params = {}, to]: Parameters<ExtensionHandle['publish']>
  ): void {
    if (!subscriptions.some((subscription) => subscription.filter === filter)) {
      throw new ExtensionError(
        id,
        `has no subscription "${filter}" to publish to: name one that it registered`,
      );
    }
    this.subscriptions.publish({ filter, method, params, ...(to !== undefined && { to }) });
  }
}

/** What one extension gave is nothing to another. */
function readValue(id: string, opened: unknown): unknown {
  const sealed = opened as { readonly id: string; readonly value: unknown } | undefined;
  return sealed?.id === id ? sealed.value : undefined;
}
