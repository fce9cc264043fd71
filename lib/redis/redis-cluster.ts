import { Logger } from '../core/logger/logger.js';
import type {
  Cluster,
  ClusterConnection,
  ClusterFailure,
  ClusterMember,
} from '../server/settings/cluster/cluster.interface.js';
import { McpConfigurationError } from '../server/settings/mcp-configuration.error.js';
import { findProblem, isEncrypted, openLink } from './clients/open-link.js';
import { isRefusal } from './clients/redis-link.js';
import { PrimaryLink } from './clients/primary-link.js';
import { createTimeoutError, WRONG_REDIS } from './commands/redis.error.js';
import { ThrottledLog } from './member/outage-log.js';
import { RedisConnection, type RedisConnectionParts } from './member/redis-connection.js';
import {
  buildRedisSettings,
  type RedisSettings,
  type RedisClusterOptions,
} from './settings/redis-options.js';
import { createTaskStore } from './redis-task-store.js';
import { escapeText } from '../core/log/escape-text.js';

/**
 * Creates the cluster backend that makes several processes act as one server, with Redis 6.2 or later, Valkey or
 * Redis Cluster.
 *
 * @throws {McpConfigurationError} if an option is invalid; the error names the first one
 * @example
 * const client = new Redis(process.env.REDIS_URL);
 * McpModule.forRoot({ serverInfo, secret, cluster: redisCluster({ client, prefix: 'shop' }) })
 */
export function redisCluster(options: RedisClusterOptions): Cluster {
  const settings = buildRedisSettings(options);
  const link = new PrimaryLink(openLink('client', settings.client));
  // Records failures before startup. After that, the connection records them.
  const forget = link.recordFailures();
  const logger = new Logger('McpRedis');
  const log = new ThrottledLog(logger);

  async function join(member: ClusterMember): Promise<ClusterConnection> {
    const connection = await begin(member);
    log.isStarted = true;
    try {
      judge(connection);
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  async function begin(member: ClusterMember): Promise<RedisConnection> {
    try {
      const problem = findProblem(settings.client, link);
      if (problem !== undefined) throw new McpConfigurationError('redisCluster.client', problem);
      return await connect(member, { link, settings, log });
    } finally {
      forget();
    }
  }

  /** Logs the connection state, or throws the reason why the server does not start. */
  function judge(connection: RedisConnection): void {
    if (connection.isConnected) return connection.logSuccess();
    const { failure } = connection;
    const reason = (failure ?? createTimeoutError(settings.startTimeoutMs)).message;
    if (isRefused(failure)) {
      throw new McpConfigurationError('redisCluster.client', describeRefusal(failure, settings));
    }
    if (settings.required) {
      throw new Error(`Refusing to start standalone, because "redisCluster.required" is on: ${reason}`);
    }
    logger.warn(
      escapeText(`The server starts standalone, and joins the cluster as soon as it can: ${reason}`),
    );
  }

  return {
    join,
    createTaskStore: (parts) => createTaskStore({ ...parts, ...settings, quotas: settings, link }),
    prefix: settings.prefix,
    isEncrypted: isEncrypted(settings.client),
  };
}

/** Connects, and waits up to `startTimeoutMs`. */
async function connect(
  member: ClusterMember,
  parts: Omit<RedisConnectionParts, 'onChange'>,
): Promise<RedisConnection> {
  const { promise, settle } = createGate();
  const onChange = (): void => {
    if (connection.isConnected || isRefused(connection.failure)) settle();
  };
  const connection = new RedisConnection(member, { ...parts, onChange });
  const late = setTimeout(settle, parts.settings.startTimeoutMs);
  await promise;
  clearTimeout(late);
  return connection;
}

function createGate(): { readonly promise: Promise<void>; readonly settle: () => void } {
  let settle: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => (settle = resolve));
  return { promise, settle };
}

function isRefused(failure: ClusterFailure | undefined): failure is ClusterFailure {
  return failure !== undefined && (isRefusal(failure.reason) || failure.reason === WRONG_REDIS);
}

function describeRefusal({ reason, message }: ClusterFailure, { prefix }: RedisSettings): string {
  if (reason === WRONG_REDIS) return `must be a client whose duplicates read what it writes: ${message}`;
  return reason === 'NOPERM'
    ? `must have all permissions on "${prefix}:*", and "ACL LOG" in Redis shows the missing one: ${message}`
    : `must log in with a user and password that Redis accepts: ${message}`;
}
