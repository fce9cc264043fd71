import { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import { AppModule } from '../src/app.module';
import { loans } from '../src/loans.module';
import { mcp } from '../src/server.module';

describe('The library', () => {
  let app: INestApplication;

  beforeAll(async () => {
    const moduleRef = await Test.createTestingModule({ imports: [AppModule] }).compile();
    app = moduleRef.createNestApplication();
    mcp.setHttpAdapter(app.getHttpAdapter());
    loans.setHttpAdapter(app.getHttpAdapter());
    app.connectMicroservice({ strategy: mcp });
    app.connectMicroservice({ strategy: loans });
    await app.startAllMicroservices();
    await app.init();
  });

  afterAll(() => app.close());

  it('serves loans apart', async () => {
    const { text } = await request(app.getHttpServer())
      .post('/loans/mcp')
      .set('Accept', 'application/json, text/event-stream')
      .send({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
      .expect(200);
    expect(text).toContain('list-loans');
    expect(text).not.toContain('find-book');
  });
});
