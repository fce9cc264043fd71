import 'reflect-metadata';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module } from '@nestjs/common';
import { HealthCheck, HealthCheckService, TerminusModule } from '@nestjs/terminus';
import { McpClientHealthIndicator, McpClientModule } from 'nestjs-mcp/client-module';
import { bootApp, type RunningApp } from '../../support/applications/boot.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { bootShop } from './shop.app.js';

@Controller()
class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly clients: McpClientHealthIndicator,
  ) {}

  @Get('health')
  @HealthCheck()
  check() {
    return this.health.check([() => this.clients.pingCheck('shop', { timeoutMs: 2000 })]);
  }
}

@Module({ imports: [TerminusModule.forRoot({ logger: false })], controllers: [HealthController] })
class HealthModule {}

describe('McpClientHealthIndicator in a check of Terminus', () => {
  let app: RunningApp | undefined;

  afterEach(() => app?.close());

  async function check() {
    const { status, text } = await sendHttp(new URL('/health', app?.url).href, { method: 'GET' });
    return { status, report: JSON.parse(text) as Record<string, unknown> };
  }

  it('is up while the server answers, and down with 503 when it does not (CLI-18)', async () => {
    const shop = await bootShop();
    const reconnect = { initialDelayMs: 10, maxDelayMs: 10, maxAttempts: 2 };
    app = await bootApp({
      imports: [McpClientModule.forRoot([{ name: 'shop', url: shop.url, reconnect }]), HealthModule],
    });
    expect(await check()).toMatchObject({ status: 200, report: { info: { shop: { status: 'up' } } } });
    await shop.close();
    expect(await check()).toMatchObject({
      status: 503,
      report: { error: { shop: { status: 'down', message: 'The server did not respond within 2000 ms' } } },
    });
  });
});
