/** One process of the terminal. From the environment: `REDIS_URL`, `MCP_SECRET`, `HOST`, `PORT`, `PROCESS_NAME`. */
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Redis } from 'ioredis';
import { PROCESS_NAME } from './terminal/process-name.js';
import { TerminalModule } from './terminal/terminal.module.js';

const { REDIS_URL = 'redis://127.0.0.1:6379', MCP_SECRET = '' } = process.env;
const { HOST = '127.0.0.1', PORT = '0' } = process.env;

const client = new Redis(REDIS_URL);
// The package's own log says once a minute what is wrong with Redis.
client.on('error', () => undefined);

try {
  const app = await NestFactory.create<NestExpressApplication>(
    TerminalModule.with({ client, secret: MCP_SECRET }),
    {
      logger: ['warn', 'error', 'fatal'],
      abortOnError: false,
      forceCloseConnections: true,
    },
  );
  // The balancer is the one proxy before it.
  app.set('trust proxy', 1);
  // Longer than balancers keep a connection for later: it is theirs to let go of it.
  app.getHttpServer().keepAliveTimeout = 75_000;
  const stop = async (): Promise<void> => {
    await app.close();
    client.disconnect();
  };
  process.once('SIGTERM', () => void stop());
  // Whoever started it by `fork` is gone; the channel itself keeps nobody alive.
  process.once('disconnect', () => void stop());
  process.channel?.unref();
  await app.listen(Number(PORT), HOST);
  // Whoever started it may be gone by now, and nobody would end it.
  if (process.send !== undefined && !process.connected) await stop();
  else process.send?.({ origin: await app.getUrl() });
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${PROCESS_NAME} cannot start: ${reason}\n`);
  process.exit(1);
}
