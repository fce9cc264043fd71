import type { OutgoingHttpHeaders } from 'node:http';
import { Controller, Get, Param, Post, SetMetadata, UseGuards } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { Claims, McpAuthGuard, McpInMemoryConnector, RequireScope } from 'nestjs-mcp';
import { McpControllersModule, ToolController } from 'nestjs-mcp/controllers';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bindToken } from '../../support/applications/bound-desk.js';
import { authorize, bootDesk, CALLERS, RESOURCE } from '../../support/applications/protected-desk.js';
import { TestIssuer } from '../../support/authorization/issuer.js';
import { entriesOf } from '../../support/clients/entries.js';
import { perRequest } from '../../support/clients/json-rpc.js';

@Controller('reports')
@UseGuards(McpAuthGuard)
@ToolController({ routes: { write: true } })
class ReportsController {
  @Get('mine')
  mine(@Claims('sub') owner: string) {
    return { owner };
  }

  @Post(':name')
  @RequireScope('desk:write')
  write(@Param('name') name: string) {
    return { name };
  }

  @Get('audit')
  @SetMetadata('roles', ['write'])
  audit() {
    return 'nothing happened';
  }
}

describe.each(ADAPTERS)('The callers of tools that are routes, on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    const reflector = new Reflector();
    desk = await bootDesk(adapter, {
      imports: [
        McpControllersModule.forRoot({
          findAccess: ({ handler }) => {
            const roles = reflector.get<readonly string[] | undefined>('roles', handler);
            return roles && { requiredScopes: roles.map((role) => `desk:${role}`) };
          },
        }),
      ],
      controllers: [ReportsController],
    });
  });

  afterAll(() => desk.close());

  const call = (caller: keyof typeof CALLERS, name: string, given = {}) =>
    perRequest(desk.url, { headers: authorize(CALLERS[caller].token) }).request('tools/call', {
      name,
      arguments: given,
    });

  it('are the callers of the routes, each its own, even at once (ROUTE-02)', async () => {
    const callers = ['ada', 'bob', 'eve', 'bob', 'ada', 'eve'] as const;
    const answers = await Promise.all(callers.map((caller) => call(caller, 'mine')));
    expect(answers.map(({ result }) => result?.['structuredContent'])).toEqual(
      callers.map((owner) => ({ owner })),
    );
  });

  it('need the scopes of the routes (ROUTE-01)', async () => {
    const refused = await call('bob', 'write', { name: 'june' });
    expect(refused.status).toBe(403);
    expect(refused.headers['www-authenticate']).toContain('desk:write');
    expect((await call('ada', 'write', { name: 'june' })).result?.['structuredContent']).toEqual({
      name: 'june',
    });
  });

  it('need the scopes that the application derives from its roles (ROUTE-01)', async () => {
    expect((await call('bob', 'audit')).status).toBe(403);
    const { result } = await call('ada', 'audit');
    expect(entriesOf(result, 'content')).toEqual([{ type: 'text', text: 'nothing happened' }]);
  });

  it('are known to the guard of the routes without a token in a header (ROUTE-02)', async () => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(
      await desk.app.get(McpInMemoryConnector).connect({ claims: { sub: 'zoe', scopes: [] } }),
    );
    const { structuredContent } = await client.callTool({ name: 'mine', arguments: {} });
    expect(structuredContent).toEqual({ owner: 'zoe' });
    await client.close();
  });

  it('cannot be chosen by clients of the routes (ROUTE-02)', async () => {
    expect((await fetch(`${desk.origin}/reports/mine`)).status).toBe(401);
    const headers = authorize(CALLERS.bob.token);
    expect(await (await fetch(`${desk.origin}/reports/mine`, { headers })).json()).toEqual({ owner: 'bob' });
  });
});

describe.each(ADAPTERS)('A caller with a bound token on %s (RFC 9449)', (adapter) => {
  it('reaches a guarded route, whose address no proof is for (ROUTE-02) (XTN-03)', async () => {
    const issuer = await TestIssuer.start();
    const desk = await bootDesk(adapter, {
      auth: { resourceUri: RESOURCE, authorizationServers: [issuer.url], jwt: {}, dpop: 'required' },
      imports: [McpControllersModule.forRoot()],
      controllers: [ReportsController],
    });
    const ada = await bindToken(issuer, { sub: 'ada' });
    const call = (headers: OutgoingHttpHeaders) =>
      perRequest(desk.url, { headers }).request('tools/call', { name: 'mine' });
    expect((await call({ authorization: ada.headers().authorization })).status).toBe(401);
    expect((await call(ada.headers())).result?.['structuredContent']).toEqual({ owner: 'ada' });
    await desk.close();
    await issuer.stop();
  });
});
