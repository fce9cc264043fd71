import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import { AppModule } from '../src/app.module';
import { setUp } from '../src/set-up';

describe('Orders', () => {
  let app: INestApplication;

  beforeAll(async () => {
    app = (await Test.createTestingModule({ imports: [AppModule] }).compile()).createNestApplication();
    setUp(app);
    await app.init();
  });

  afterAll(() => app.close());

  const get = (path: string) =>
    request(app.getHttpServer()).get(path).auth('token-of-sam', { type: 'bearer' });

  it('are not shown to anybody', () => request(app.getHttpServer()).get('/api/v1/orders').expect(401));

  it('have a total in version 2', async () => {
    const { body } = await get('/api/v2/orders/1').expect(200);
    expect(body).toMatchObject({ number: 1, total: 160 });
    expect((await get('/api/v1/orders/1').expect(200)).body).not.toHaveProperty('total');
  });

  it('do not tell their margin to sales', () => get('/api/v1/orders/1/margin').expect(403));

  it('are documented', async () => {
    const { body } = await get('/docs-json').expect(200);
    expect(Object.keys(body.paths)).toContain('/api/v1/orders/{number}/payment');
  });
});
