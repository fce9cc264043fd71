import { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import { AppModule, mcp } from '../src/app.module';

describe('Greetings', () => {
  let app: INestApplication;

  beforeAll(async () => {
    const moduleRef = await Test.createTestingModule({ imports: [AppModule] }).compile();
    app = moduleRef.createNestApplication();
    mcp.setHttpAdapter(app.getHttpAdapter());
    app.connectMicroservice({ strategy: mcp });
    await app.startAllMicroservices();
    await app.init();
  });

  afterAll(() => app.close());

  it('opens a session', async () => {
    const response = await request(app.getHttpServer())
      .post('/greetings/mcp')
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
  });
});
