import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import { AppModule } from '../src/app.module';

describe('The clinic', () => {
  let app: INestApplication;
  let url: string;

  beforeAll(async () => {
    const moduleRef = await Test.createTestingModule({ imports: [AppModule] }).compile();
    app = moduleRef.createNestApplication();
    app.setGlobalPrefix('api');
    await app.listen(0, '127.0.0.1');
    url = `${await app.getUrl()}/api/v1/clinic`;
  });

  afterAll(() => app.close());

  it('initializes', async () => {
    const response = await request(app.getHttpServer())
      .post('/api/v1/clinic')
      .set('Accept', 'application/json, text/event-stream')
      .send({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'supertest', version: '1.0.0' },
        },
      })
      .expect(200);
    expect(response.headers['mcp-session-id']).toBeDefined();
    expect(response.text).toContain('"name":"clinic"');
  });

  it('calls a tool', async () => {
    const client = new Client({ name: 'e2e', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    const result: any = await client.callTool({ name: 'book-visit', arguments: { hour: 9 } });
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toBe('[FULL] The hour 9 is full');
    await client.close();
  });
});
