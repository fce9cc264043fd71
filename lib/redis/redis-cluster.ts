import { Logger } from '@nestjs/common';
import type {
  Cluster,
  ClusterConnection,
  ClusterMember,
} from '../server/settings/cluster/cluster.interface.js';
import { McpConfigurationError } from '../server/settings/mcp-configuration.error.js';
import { findFault, openLink } from './clients/open-link.js';
import { RedisConnection } from './member/redis-connection.js';
import { buildRedisSettings } from './settings/build-redis-settings.js';
import type { RedisClusterOptions } from './settings/redis-cluster-options.interface.js';

/**
 * Makes several processes one server by Redis 6.2 or later, Valkey or Redis Cluster.
 *
 * @throws {McpConfigurationError} for the first option that is wrong
 * @example
 * const client = new Redis(process.env.REDIS_URL);
 * McpModule.forRoot({ serverInfo, secret, cluster: redisCluster({ client, prefix: 'shop' }) })
 */
export function redisCluster(options: RedisClusterOptions): Cluster {
  const settings = buildRedisSettings(options);
  const { client, startTimeoutMs, required } = settings;
  const link = openLink('client', client);

  async function join(member: ClusterMember): Promise<ClusterConnection> {
    const fault = findFault(client, link);
    if (fault !== undefined) throw new McpConfigurationError('redisCluster.client', fault);
    let settle: () => void = () => undefined;
    const settled = new Promise<void>((resolve) => (settle = resolve));
    const connection = new RedisConnection(member, link, settings, () => {
      if (connection.isConnected || isForbidden(connection)) settle();
    });
    const late = setTimeout(settle, startTimeoutMs);
    await settled;
    clearTimeout(late);
    if (connection.isConnected) return connection;
    const reason = connection.failure?.message ?? `it did not answer within ${startTimeoutMs} ms`;
    if (!required && !isForbidden(connection)) {
      new Logger('McpRedis').warn(
        `The server starts alone, and joins the others when Redis is there: ${reason}`,
      );
      return connection;
    }
    await connection.close();
    if (isForbidden(connection)) {
      throw new McpConfigurationError(
        'redisCluster.client',
        `must be a user who may use "${settings.prefix}:*": ${reason}`,
      );
    }
    throw new Error(
      `The server does not start without Redis, which "redisCluster.required" asks for: ${reason}`,
    );
  }

  return { join };
}

/** A user who may not run what is needed stays one. */
function isForbidden({ failure }: RedisConnection): boolean {
  return failure !== undefined && /\b(NOPERM|NOAUTH|WRONGPASS)\b/.test(failure.message);
}
