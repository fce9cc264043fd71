import 'reflect-metadata';
import type { DynamicModule, INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { McpStdio } from 'nestjs-mcp';
import { McpGateway } from 'nestjs-mcp/gateway';
import { findFreePort } from './find-free-port.js';
import { FixtureModule } from './fixtures/fixture.module.js';
import { protect } from './protection.js';
import { GatewayModule } from './gateway.module.js';
import { share } from './sharing.js';

const { PORT, ADAPTER, AUTH, KEEPALIVE_MS, TRANSPORT, TOKEN, STATELESS, SSE, GATEWAY } = process.env;

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
  const app = await createApp(module);
  const apps = [app];

  async function stop(): Promise<void> {
    await Promise.all([closeAll(), protection?.stop()]);
    sharing.stop();
  }

  async function closeAll(): Promise<void> {
    for (const one of apps) await one.close();
  }

  process.once('SIGTERM', () => void stop());
  process.once('SIGINT', () => void stop());

  await app.listen(port, '127.0.0.1');
  const url = `${await app.getUrl()}/mcp`;
  const ready = GATEWAY === '1' ? await listenBefore(url) : url;
  console.log([`ready ${ready}`, ...(protection?.announcement ?? [])].join('\n'));

  async function listenBefore(fixture: string): Promise<string> {
    const gateway = await createApp(GatewayModule.before(fixture));
    apps.unshift(gateway);
    await gateway.listen(0, '127.0.0.1');
    await gateway.get(McpGateway, { strict: false }).refresh('fixture');
    return `${await gateway.getUrl()}/mcp`;
  }
}

/** Standard output belongs to the ready line and what follows it. */
function createApp(root: DynamicModule): Promise<INestApplication> {
  const adapter = ADAPTER === 'fastify' ? new FastifyAdapter() : new ExpressAdapter();
  return NestFactory.create(root, adapter, { logger: ['error'] });
}
