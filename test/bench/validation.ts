import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { McpAuthenticator, McpModule } from 'nestjs-mcp';

import type { Contender } from './contender.js';
import type { Plan } from './plan.js';
import { type Protection, RESOURCE, startProtection } from './protection.js';
import { SERVER_INFO } from './servers/fixtures.js';
import { findQuantile, type Sample, sortNumbers, timeFor } from './statistics.js';

/** A way to validate a token, made ready. */
interface Validation {
  /** Rejects where the token is no good. */
  validate(token: string): unknown;
  close?(): Promise<void>;
}

/** Validates one token over and over in this process, each time as if it had not been seen. */
export class ValidationContender implements Contender {
  private constructor(
    private readonly protection: Protection,
    private readonly validation: Validation,
    private readonly plan: Plan,
  ) {}

  static async start(
    create: (protection: Protection) => Promise<Validation>,
    plan: Plan,
  ): Promise<ValidationContender> {
    const protection = await startProtection({ cacheTtlMs: 0 });
    return new ValidationContender(protection, await create(protection), plan);
  }

  async warmUp(): Promise<void> {
    await this.run(this.plan.firstWarmUpMs);
  }

  async measureSlice(): Promise<Sample> {
    const { warmUpMs, sliceMs } = this.plan.load;
    await this.run(warmUpMs);
    const cpuBefore = process.cpuUsage();
    const started = performance.now();
    const latencies = sortNumbers(await this.run(sliceMs));
    const seconds = (performance.now() - started) / 1000;
    const { user, system } = process.cpuUsage(cpuBefore);
    return {
      cost: (user + system) / latencies.length,
      perSecond: latencies.length / seconds,
      p50Milliseconds: findQuantile(latencies, 0.5),
      p99Milliseconds: findQuantile(latencies, 0.99),
    };
  }

  async stop(): Promise<void> {
    await this.validation.close?.();
    await this.protection.issuer.stop();
  }

  /** Gives the duration of every validation, in milliseconds. */
  private run(durationMs: number): Promise<number[]> {
    const { validation, protection } = this;
    return timeFor(durationMs, () => validation.validate(protection.token));
  }
}

/** This library's validators, as an application has them. */
export async function createOurValidation({ auth }: Protection): Promise<Validation> {
  @Module({ imports: [McpModule.forRoot({ serverInfo: SERVER_INFO, auth })] })
  class ValidatingModule {}

  const app = await NestFactory.createApplicationContext(ValidatingModule, { logger: false });
  const authenticator = app.get(McpAuthenticator, { strict: false });
  return { validate: (token) => authenticator.authenticate(token), close: () => app.close() };
}

/** What jose does by itself, with the keys at hand and the same questions asked. */
export async function createJoseValidation({ issuer }: Protection): Promise<Validation> {
  const getKey = createLocalJWKSet({ keys: issuer.keys.map(({ jwk }) => jwk) });
  const options = { issuer: issuer.url, audience: RESOURCE, typ: 'at+jwt', algorithms: ['ES256'] };
  return { validate: (token) => jwtVerify(token, getKey, options) };
}
