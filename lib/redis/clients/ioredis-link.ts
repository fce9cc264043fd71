import { LinkChanges } from './link-changes.js';
import type { IoredisClient, LinkFailure, RedisLink } from './redis-link.js';

const CHANGES = ['ready', 'close', 'end', 'reconnecting', 'error'];

/** Options for a duplicate. It fails immediately and does not queue commands, because its user opens a new one. */
const OWN_CONNECTION = {
  lazyConnect: false,
  enableOfflineQueue: false,
  enableAutoPipelining: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  retryStrategy: () => null,
  commandTimeout: undefined,
  socketTimeout: undefined,
  readOnly: false,
};

/** Options for a cluster duplicate. Cluster clients always reconnect to their nodes. */
const OWN_CLUSTER = {
  lazyConnect: false,
  enableOfflineQueue: false,
  enableAutoPipelining: false,
  clusterRetryStrategy: () => null,
  scaleReads: 'master',
};

/** Options for a cluster duplicate's connections to nodes. */
const OWN_NODES = { commandTimeout: undefined, socketTimeout: undefined };

/** A link over `ioredis`. */
export class IoredisLink implements RedisLink {
  readonly #changes: LinkChanges;

  constructor(private readonly client: IoredisClient) {
    this.#changes = LinkChanges.of(client, CHANGES);
  }

  /** A client in the `wait` state connects on its first command. */
  get isReady(): boolean {
    return this.client.status === 'ready' || this.client.status === 'wait';
  }

  get isClosed(): boolean {
    return this.client.status === 'end';
  }

  get failure(): LinkFailure | undefined {
    return this.#changes.failure;
  }

  recordFailures(): () => void {
    return this.#changes.recordFailures();
  }

  send(_key: string, [name = '', ...values]: readonly string[]): Promise<unknown> {
    return this.client.call(name, ...values);
  }

  duplicate(): RedisLink {
    const other = this.client.duplicate(...(findOverrides(this.client) as never[])) as IoredisClient;
    // Without an error listener, it writes to the console.
    other.on('error', () => undefined);
    const link = new IoredisLink(other);
    link.recordFailures();
    return link;
  }

  onChange(listener: () => void): () => void {
    return this.#changes.add(listener);
  }

  close(): void {
    // On a closed client, `disconnect()` would keep the process alive for two seconds.
    if (!this.isClosed) this.client.disconnect();
  }
}

/**
 * Returns the arguments of `duplicate()`. Release 5 cluster clients drop the password and TLS if a node option is
 * overridden.
 */
function findOverrides(client: object): readonly unknown[] {
  const { isCluster, options } = client as {
    readonly isCluster?: boolean;
    readonly options?: { readonly redisOptions?: object };
  };
  if (isCluster !== true) return [OWN_CONNECTION];
  return [[], { ...OWN_CLUSTER, redisOptions: { ...options?.redisOptions, ...OWN_NODES } }];
}
