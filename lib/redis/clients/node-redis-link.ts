import { LinkChanges } from './link-changes.js';
import type { LinkFailure, NodeRedisClient, RedisLink } from './redis-link.js';

const CHANGES = ['ready', 'end', 'reconnecting', 'error', 'node-ready', 'node-error', 'node-disconnect'];

type Send = (...values: readonly unknown[]) => Promise<unknown>;

/** A link over `redis`. */
export class NodeRedisLink implements RedisLink {
  readonly #changes: LinkChanges;

  constructor(private readonly client: NodeRedisClient) {
    this.#changes = LinkChanges.of(client, CHANGES);
  }

  get isReady(): boolean {
    const { isReady, isOpen } = this.client;
    return isReady ?? (isOpen && knowsNodes(this.client));
  }

  get isClosed(): boolean {
    return !this.client.isOpen;
  }

  get failure(): LinkFailure | undefined {
    return this.#changes.failure;
  }

  recordFailures(): () => void {
    return this.#changes.recordFailures();
  }

  send(key: string, command: readonly string[]): Promise<unknown> {
    const { client } = this;
    const send = client.sendCommand.bind(client) as Send;
    if ('nodeClient' in client) return send(key, false, command);
    // For Sentinel clients, the first argument is whether a replica may respond.
    return 'acquire' in client ? send(false, command) : send(command);
  }

  duplicate(): RedisLink {
    const { client } = this;
    const other = client.duplicate(...(findOverrides(client) as never[])) as NodeRedisClient;
    const link = new NodeRedisLink(other);
    // Without an error listener, an error ends the process.
    other.on('error', () => undefined);
    link.recordFailures();
    const { notify, record } = link.#changes;
    // Cluster clients have no `ready` event.
    other.connect().catch(record).then(notify, notify);
    return link;
  }

  onChange(listener: () => void): () => void {
    return this.#changes.add(listener);
  }

  close(): void {
    try {
      void Promise.resolve(this.client.destroy()).catch(() => undefined);
    } catch {
      // It is already closed.
    }
  }
}

function knowsNodes(client: object): boolean {
  const { masters } = client as { readonly masters?: readonly unknown[] };
  return masters === undefined || masters.length > 0;
}

/**
 * Returns the arguments of `duplicate()`. The duplicate fails immediately, because its user opens a new one. Clients
 * with several nodes have no such options.
 */
function findOverrides(client: NodeRedisClient): readonly object[] {
  const { options } = client as { readonly options?: { readonly socket?: object } };
  if (options === undefined || 'nodeClient' in client || 'acquire' in client) return [];
  const socket = { ...options.socket, reconnectStrategy: false, socketTimeout: undefined };
  return [{ socket, disableOfflineQueue: true, pingInterval: undefined, commandsQueueMaxLength: undefined }];
}
