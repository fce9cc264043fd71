import { LinkChanges } from './link-changes.js';
import type { IoredisClient, LinkFailure, RedisLink } from './redis-link.js';

const CHANGES = ['ready', 'close', 'end', 'reconnecting', 'error'];

/** Options of our own connection. It fails at once, and keeps no commands for later: its user opens another one. */
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

/** The same for a cluster. A client of a cluster always reconnects to its nodes by itself. */
const OWN_CLUSTER = {
  lazyConnect: false,
  enableOfflineQueue: false,
  enableAutoPipelining: false,
  clusterRetryStrategy: () => null,
  scaleReads: 'master',
};

/** The same for the connections of a cluster's client to nodes. */
const OWN_NODES = { commandTimeout: undefined, socketTimeout: undefined };

/** A connection by `ioredis`. */
export class IoredisLink implements RedisLink {
  readonly #changes: LinkChanges;

  constructor(private readonly client: IoredisClient) {
    this.#changes = LinkChanges.of(client, CHANGES);
  }

  /** A client in the state `wait` connects with its first command. */
  get isReady(): boolean {
    return this.client.status === 'ready' || this.client.status === 'wait';
  }

  get isClosed(): boolean {
    return this.client.status === 'end';
  }

  get failure(): LinkFailure | undefined {
    return this.#changes.failure;
  }

  keepFailures(): () => void {
    return this.#changes.keepFailures();
  }

  send(_key: string, [name = '', ...values]: readonly string[]): Promise<unknown> {
    return this.client.call(name, ...values);
  }

  duplicate(): RedisLink {
    const other = this.client.duplicate(...(findOverrides(this.client) as never[])) as IoredisClient;
    // One without a listener for errors writes to the console.
    other.on('error', () => undefined);
    const link = new IoredisLink(other);
    link.keepFailures();
    return link;
  }

  onChange(tell: () => void): () => void {
    return this.#changes.add(tell);
  }

  close(): void {
    // A client that is closed already would wait two seconds for its end, and keep the process for that long.
    if (!this.isClosed) this.client.disconnect();
  }
}

/** Returns what differs in our own connection. A cluster's client of release 5 keeps no password and no TLS by itself, if an option of nodes differs. */
function findOverrides(client: object): readonly unknown[] {
  const { isCluster, options } = client as {
    readonly isCluster?: boolean;
    readonly options?: { readonly redisOptions?: object };
  };
  if (isCluster !== true) return [OWN_CONNECTION];
  return [[], { ...OWN_CLUSTER, redisOptions: { ...options?.redisOptions, ...OWN_NODES } }];
}
