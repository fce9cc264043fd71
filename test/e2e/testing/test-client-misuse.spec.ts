import { Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { describe, expect, it } from '@jest/globals';
import { McpModule, Tool, type McpContext } from 'nestjs-mcp';
import { McpTestingModule, type TestClientOptions } from 'nestjs-mcp/testing';
import '../../support/mcp-matchers.js';
import { startTestingModule } from '../../support/applications/testing-desk.js';

@Injectable()
class Tools {
  @Tool()
  greet(_: object, { auth }: McpContext) {
    return `hello, ${auth.claims?.sub ?? 'stranger'}`;
  }
}

const serverInfo = { name: 'desk', version: '1.0.0' };

const SEVERAL = {
  imports: [
    McpModule.forRoot({ server: 'desk', serverInfo }),
    McpModule.forRoot({ server: 'admin', serverInfo, mcpPath: '/admin' }),
  ],
};

describe('McpTestingModule.createClient', () => {
  it('refuses a module that is not initialized, and says how to (KIT-01)', async () => {
    const moduleRef = await Test.createTestingModule({
      imports: [McpModule.forRoot({ serverInfo })],
      providers: [Tools],
    }).compile();
    const connecting = McpTestingModule.createClient(moduleRef);
    await expect(connecting).rejects.toThrow('call "await moduleRef.init()" first');
    await moduleRef.init();
    const client = await McpTestingModule.createClient(moduleRef);
    expect(await client.callTool({ name: 'greet' })).toHaveText('hello, stranger');
    await client.close();
    await moduleRef.close();
  });

  it('takes a module whose application is initialized (KIT-01)', async () => {
    const moduleRef = await Test.createTestingModule({
      imports: [McpModule.forRoot({ serverInfo })],
      providers: [Tools],
    }).compile();
    const app = await moduleRef.createNestApplication({ logger: false }).init();
    const client = await McpTestingModule.createClient(moduleRef);
    expect((await client.listTools()).tools).toHaveLength(1);
    await client.close();
    await app.close();
  });

  it('names the servers where none has the key that is given, or where none is the default one (KIT-01)', async () => {
    const moduleRef = await startTestingModule(SEVERAL);
    const connect = (server?: string) =>
      McpTestingModule.createClient(moduleRef, server === undefined ? {} : { server });
    await expect(connect('nope')).rejects.toThrow(
      'There is no server "nope": pass one of "desk", "admin" as "server"',
    );
    await expect(connect()).rejects.toThrow('There is no default server: pass one of "desk", "admin"');
    await moduleRef.close();
  });

  it.each<[string, NonNullable<TestClientOptions['auth']>]>([
    ['a token', { token: 'secret' }],
    ['claims', { claims: { sub: 'ada' } }],
  ])('refuses %s for a server that asks nobody who they are (KIT-01)', async (_what, auth) => {
    const moduleRef = await startTestingModule({
      imports: [McpModule.forRoot({ serverInfo })],
      providers: [Tools],
    });
    const connecting = McpTestingModule.createClient(moduleRef, { auth });
    await expect(connecting).rejects.toThrow('The server has no "auth" option');
    await moduleRef.close();
  });
});
