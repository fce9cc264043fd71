import { IoAdapter } from '@nestjs/platform-socket.io';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { EnvelopeInterceptor } from './envelope.interceptor';

export function setUp(app: NestFastifyApplication) {
  app.setGlobalPrefix('api', { exclude: ['health'] });
  app.useWebSocketAdapter(new IoAdapter(app));
  app.useGlobalInterceptors(new EnvelopeInterceptor());
  app.enableCors();
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('preHandler', async ({ headers, raw }) => {
      Object.assign(raw, { actor: headers['x-actor'] });
    });
}
