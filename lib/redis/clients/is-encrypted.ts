/** Where a client connects, in the options of `ioredis` and `redis`. */
interface ConnectionOptions {
  readonly tls?: unknown;
  readonly host?: unknown;
  /** A socket in the file system. */
  readonly path?: unknown;
}

/** The options of a client. Each kind of client has its connection in another of these members. */
interface ClientOptions extends ConnectionOptions {
  readonly url?: unknown;
  readonly socket?: ConnectionOptions;
  readonly redisOptions?: ConnectionOptions;
  readonly sentinels?: unknown;
}

/** Names of this machine, as people write them. */
const LOCAL: ReadonlySet<unknown> = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/** Tells whether a client uses TLS, or stays on this machine. Returns `undefined` for clusters and sentinels of `redis`, which do not show it. */
export function isEncrypted(client: object): boolean | undefined {
  const { options, isCluster } = client as { readonly options?: ClientOptions; readonly isCluster?: boolean };
  if (typeof options !== 'object' || options === null) return undefined;
  const { url, socket, redisOptions, sentinels } = options;
  const connection = socket ?? redisOptions ?? options;
  const target = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined;
  if (connection.tls || target?.protocol === 'rediss:') return true;
  // Redis Cluster and Sentinel tell clients where to go on.
  if (isCluster === true || sentinels) return false;
  const host = connection.host ?? target?.hostname ?? 'localhost';
  return typeof connection.path === 'string' || LOCAL.has(host);
}
