import { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import { AppModule } from '../src/app.module';

describe('The library', () => {
  let app: INestApplication;

  beforeAll(async () => {
    const moduleRef = await Test.createTestingModule({ imports: [AppModule] }).compile();
    app = moduleRef.createNestApplication();
    await app.init();
  });

  afterAll(() => app.close());

  function list(path: string, key?: string) {
    const sent = request(app.getHttpServer()).post(path).set('Accept', 'application/json, text/event-stream');
    if (key) sent.set('x-api-key', key);
    return sent.send({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
  }

  it('serves the catalog to whoever has the key', async () => {
    expect((await list('/catalog/mcp', 'open sesame').expect(200)).text).toContain('search-collection');
    await list('/catalog/mcp').expect(401);
  });

  it('serves loans to everybody', async () => {
    const { text } = await list('/loans/mcp').expect(200);
    expect(text).toContain('list-loans');
    expect(text).not.toContain('find-book');
  });
});
