import type { NodeRedisClient } from './redis-client.interface.js';
import type { RedisLink } from './redis-link.interface.js';

const CHANGES = ['ready', 'end', 'reconnecting', 'error'];

type Send = (...values: readonly unknown[]) => Promise<unknown>;

/** A connection by `redis`, the client of Node. */
export class NodeRedisLink implements RedisLink {
  constructor(private readonly client: NodeRedisClient) {}

  get isReady(): boolean {
    return this.client.isReady;
  }

  get isClosed(): boolean {
    return !this.client.isOpen;
  }

  send(key: string, command: readonly string[]): Promise<unknown> {
    const { client } = this;
    const send = client.sendCommand.bind(client) as Send;
    if ('nodeClient' in client) return send(key, false, command);
    // A client of Sentinel asks whether a replica may answer.
    return 'acquire' in client ? send(false, command) : send(command);
  }

  duplicate(): RedisLink {
    const { client } = this;
    const other = client.duplicate(...(findOverrides(client) as never[])) as NodeRedisClient;
    const link = new NodeRedisLink(other);
    // One without a listener for errors ends the process.
    other.on('error', () => undefined);
    other.connect().catch(() => undefined);
    return link;
  }

  onChange(tell: () => void): () => void {
    for (const event of CHANGES) this.client.on(event, tell);
    return () => {
      for (const event of CHANGES) this.client.off(event, tell);
    };
  }

  close(): void {
    try {
      void Promise.resolve(this.client.destroy()).catch(() => undefined);
    } catch {
      // It was closed before.
    }
  }
}

/** A connection of our own fails at once: whoever uses it opens another. Clients of several nodes have no such options. */
function findOverrides(client: NodeRedisClient): readonly object[] {
  const { options } = client as { readonly options?: { readonly socket?: object } };
  if (options === undefined || 'nodeClient' in client || 'acquire' in client) return [];
  const socket = { ...options.socket, reconnectStrategy: false, socketTimeout: undefined };
  return [{ socket, disableOfflineQueue: true, pingInterval: undefined, commandsQueueMaxLength: undefined }];
}
