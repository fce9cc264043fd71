import {} from 'node:http';
import {} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { reportReady } from './serve.js';
/** Starts a Nest application on Express, or on Fastify if the variant says so. */
export async function serveNest(module, variant, prepare = async () => undefined) {
    const options = { logger: false };
    const app = variant === 'fastify'
        ? await NestFactory.create(module, new FastifyAdapter(), options)
        : await NestFactory.create(module, options);
    await prepare(app);
    await app.listen(0, '127.0.0.1');
    reportReady(app.getHttpServer());
}
