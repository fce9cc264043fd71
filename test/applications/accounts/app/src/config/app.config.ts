import { registerAs } from '@nestjs/config';

export default registerAs('app', () => ({
  port: Number(process.env.APP_PORT ?? 3001),
  apiPrefix: process.env.API_PREFIX ?? 'api',
  secret: process.env.APP_SECRET ?? 'a secret for development alone',
}));
