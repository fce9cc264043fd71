import type { Server } from 'node:http';

import type { INestApplication, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';

import { reportReady } from './serve.js';

interface ServeOptions {
  /** @default Express */
  variant?: string | undefined;
  /** Prepares the application before it listens. */
  prepare?: (app: INestApplication) => Promise<void>;
}

/** Starts a Nest application on Express, or on Fastify if the variant says so. */
export async function serveNest(module: Type, { variant, prepare }: ServeOptions): Promise<void> {
  const options = { logger: false } as const;
  const app =
    variant === 'fastify'
      ? await NestFactory.create(module, new FastifyAdapter(), options)
      : await NestFactory.create(module, options);
  await prepare?.(app);
  await app.listen(0, '127.0.0.1');
  reportReady(app.getHttpServer() as Server);
}
