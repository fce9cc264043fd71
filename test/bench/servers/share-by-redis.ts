import { Redis } from 'ioredis';
import { redisCluster } from 'nestjs-mcp/redis';

/** Has the processes with that prefix share what they must. */
export function shareByRedis(url: string, prefix: string) {
  return {
    secret: 'what the processes of the bench share',
    cluster: redisCluster({ client: new Redis(url), prefix }),
  };
}
