import { Redis } from 'ioredis';
import { redisCluster } from 'nestjs-mcp/redis';

const ignore = (): undefined => undefined;

// A client that is never connected again ends by itself.
const client = new Redis(process.env['REDIS_URL'] ?? '', { retryStrategy: () => null });
client.on('error', ignore);

const connection = await redisCluster({ client }).join({
  id: 'lost',
  server: '/mcp',
  onEntry: ignore,
  onMessage: ignore,
  onGap: ignore,
  onConnection: (isConnected) => void (isConnected || leave()),
});
console.log('joined');

/** Leaves, and says which timers are there when no connection is left: they keep a process that has nothing else to do. */
async function leave(): Promise<void> {
  await connection.close();
  const list = (kind: string): readonly string[] =>
    process.getActiveResourcesInfo().filter((resource) => resource === kind);
  while (list('TCPSocketWrap').length > 0) await new Promise((resolve) => setImmediate(resolve));
  console.log(`${list('Timeout').length} timers`);
}
