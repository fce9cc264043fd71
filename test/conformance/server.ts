import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { McpStdio } from 'nestjs-mcp';
import { findFreePort } from './find-free-port.js';
import { FixtureModule } from './fixtures/fixture.module.js';
import { protect } from './protection.js';
import { share } from './sharing.js';

const { PORT, ADAPTER, AUTH, KEEPALIVE_MS, TRANSPORT, TOKEN, STATELESS, SSE } = process.env;

// Tokens are meant for a URL, which has to be known before the fixture listens.
const isKnownByUrl = AUTH === 'jwt' || AUTH === 'scopes';
const port = Number(PORT ?? 0) || (isKnownByUrl ? await findFreePort() : 0);
const protection = await protect(process.env, `http://127.0.0.1:${port}/mcp`);
const sharing = share(process.env);
const module = FixtureModule.with({
  ...sharing.options,
  ...(KEEPALIVE_MS && { keepAliveMs: Number(KEEPALIVE_MS) }),
  stateless: STATELESS === '1',
  sse: SSE === '1',
  ...(protection && { auth: protection.auth }),
  challengesScopes: AUTH === 'scopes',
});

if (TRANSPORT === 'stdio') await serveStdio();
else await serveHttp();

/** Standard output belongs to the protocol; whoever may use the fixture says so by `TOKEN`. */
async function serveStdio(): Promise<void> {
  const token = protection === undefined ? undefined : TOKEN;
  await McpStdio.run(module, { token, nest: { logger: ['error'] } });
  await protection?.stop();
  sharing.stop();
}

async function serveHttp(): Promise<void> {
  const adapter = ADAPTER === 'fastify' ? new FastifyAdapter() : new ExpressAdapter();
  // Standard output belongs to the ready line and what follows it.
  const app = await NestFactory.create(module, adapter, { logger: ['error'] });

  async function stop(): Promise<void> {
    await Promise.all([app.close(), protection?.stop()]);
    sharing.stop();
  }

  process.once('SIGTERM', () => void stop());
  process.once('SIGINT', () => void stop());

  await app.listen(port, '127.0.0.1');
  console.log([`ready ${await app.getUrl()}/mcp`, ...(protection?.announcement ?? [])].join('\n'));
}
