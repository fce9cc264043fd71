import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { FixtureModule } from './fixtures/fixture.module.js';

const { PORT, ADAPTER, KEEPALIVE_MS } = process.env;

const adapter = ADAPTER === 'fastify' ? new FastifyAdapter() : new ExpressAdapter();
const module = FixtureModule.with(KEEPALIVE_MS ? { keepAliveMs: Number(KEEPALIVE_MS) } : {});
// Standard output belongs to the ready line.
const app = await NestFactory.create(module, adapter, { logger: ['error'] });

process.once('SIGTERM', () => void app.close());
process.once('SIGINT', () => void app.close());

await app.listen(Number(PORT ?? 0), '127.0.0.1');
console.log(`ready ${await app.getUrl()}/mcp`);
