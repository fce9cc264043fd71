import { Controller, Get } from '@nestjs/common';
import { HealthCheck, HealthCheckService, HealthIndicatorService, TerminusModule } from '@nestjs/terminus';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Tool } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../../support/applications/boot.js';
import { bootServer } from '../../../support/applications/server.js';
import { callTool } from '../tool-text.js';

let isUp = true;

@Controller('health')
class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
  ) {}

  @Get()
  @HealthCheck()
  @Tool({ description: 'Tells whether the desk works' })
  check() {
    const lamp = this.indicators.check('lamp');
    return this.health.check([() => (isUp ? lamp.up() : lamp.down({ reason: 'broken' }))]);
  }
}

describe.each(ADAPTERS)('@nestjs/terminus on handlers, on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({
      adapter,
      imports: [TerminusModule.forRoot({ logger: false })],
      controllers: [HealthController],
    });
  });

  afterAll(() => desk.close());

  it('serves a route and a tool with one check (NEST-01)', async () => {
    isUp = true;
    const up = { status: 'ok', details: { lamp: { status: 'up' } } };
    expect(await (await fetch(`${desk.origin}/health`)).json()).toMatchObject(up);
    const { isError, text } = await callTool(desk.url, 'check');
    expect([isError, JSON.parse(text)]).toEqual([false, expect.objectContaining(up)]);
  });

  it('fails the route and the tool if the check does (NEST-04)', async () => {
    isUp = false;
    expect((await fetch(`${desk.origin}/health`)).status).toBe(503);
    expect(await callTool(desk.url, 'check')).toMatchObject({ isError: true });
  });
});
