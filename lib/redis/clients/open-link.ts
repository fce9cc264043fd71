import { fail } from '../../core/checks/option-checks.js';
import { IoredisLink } from './ioredis-link.js';
import { NodeRedisLink } from './node-redis-link.js';
import type { IoredisClient, NodeRedisClient, RedisClient, RedisLink } from './redis-link.js';

const CLIENTS = 'must be an "ioredis" or "redis" client, version 5 or later';

/**
 * Opens a link to the application's client.
 *
 * @throws {OptionError} if the value is not a client, or the client cannot be used
 */
export function openLink(option: string, client: unknown): RedisLink {
  if (typeof client !== 'object' || client === null) fail(option, CLIENTS);
  const { mode, monitor } = client as { readonly mode?: unknown; readonly monitor?: unknown };
  if (isIoredis(client)) {
    if (mode === 'subscriber' || mode === 'monitor') {
      fail(option, 'must be a client that can send commands, but this one is in subscriber or monitor mode');
    }
    return new IoredisLink(client);
  }
  if (isNodeRedis(client)) return new NodeRedisLink(client);
  if ('execute' in client && typeof monitor !== 'function') {
    fail(option, `${CLIENTS}: pass a client instead of a pool, because dedicated connections are required`);
  }
  if ('acquire' in client) fail(option, `${CLIENTS}; a Sentinel client requires "redis" 6 or later`);
  fail(option, CLIENTS);
}

function isIoredis(client: object): client is IoredisClient {
  return 'status' in client && hasMethods(client, ['call', 'duplicate', 'disconnect', 'on', 'off']);
}

function isNodeRedis(client: object): client is NodeRedisClient {
  const names = ['sendCommand', 'duplicate', 'connect', 'destroy', 'on', 'off'];
  return 'isOpen' in client && hasMethods(client, names);
}

function hasMethods(client: object, names: readonly string[]): boolean {
  return names.every((name) => typeof (client as Readonly<Record<string, unknown>>)[name] === 'function');
}

/** Determines, without sending a command, why a client cannot be used in its current state. */
export function findProblem(client: RedisClient, link: RedisLink): string | undefined {
  if (link.isClosed) {
    const why = link.failure === undefined ? '' : `; it failed with "${link.failure.text}"`;
    return `must be connected and not closed: await "client.connect()" before the application starts${why}`;
  }
  const { isPubSubActive, options } = client as {
    readonly isPubSubActive?: boolean;
    readonly options?: { readonly RESP?: number };
  };
  if (isPubSubActive === true && options?.RESP !== 3) {
    return 'must be a client that can send commands, but this one is in subscriber mode';
  }
  return undefined;
}

/** Where a client connects, as `ioredis` and `redis` options specify it. */
interface ConnectionOptions {
  readonly tls?: unknown;
  readonly host?: unknown;
  /** A socket in the file system. */
  readonly path?: unknown;
}

/** A client's options. Each kind of client has its connection in a different property. */
interface ClientOptions extends ConnectionOptions {
  readonly url?: unknown;
  readonly socket?: ConnectionOptions;
  readonly redisOptions?: ConnectionOptions;
  readonly sentinels?: unknown;
}

/** Names of this machine. */
const LOCAL: ReadonlySet<unknown> = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/**
 * Returns whether a client uses TLS or a local connection. Returns `undefined` for cluster and Sentinel clients from
 * `redis`, whose options are hidden.
 */
export function isEncrypted(client: object): boolean | undefined {
  const { options, isCluster } = client as { readonly options?: ClientOptions; readonly isCluster?: boolean };
  if (typeof options !== 'object' || options === null) return undefined;
  const { url, socket, redisOptions, sentinels } = options;
  const connection = socket ?? redisOptions ?? options;
  const target = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined;
  if (connection.tls || target?.protocol === 'rediss:') return true;
  // Redis Cluster and Sentinel redirect clients to other hosts.
  if (isCluster === true || sentinels) return false;
  const host = connection.host ?? target?.hostname ?? 'localhost';
  return typeof connection.path === 'string' || LOCAL.has(host);
}
