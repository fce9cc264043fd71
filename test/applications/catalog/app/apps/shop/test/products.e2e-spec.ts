import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import { AppModule } from '../src/app.module';

describe('Products', () => {
  let app: INestApplication;

  beforeAll(async () => {
    app = (await Test.createTestingModule({ imports: [AppModule] }).compile()).createNestApplication();
    await app.init();
  });

  afterAll(() => app.close());

  it('are the same by GraphQL and by routes', async () => {
    const query = '{ product(id: 1) { id title price createdAt priceWithTax } }';
    const asked = await request(app.getHttpServer()).post('/graphql').send({ query });
    const { body } = await request(app.getHttpServer()).get('/products/1');
    expect(asked.body.data.product).toEqual({ ...body, priceWithTax: 35.7 });
    expect(body).toEqual({ id: 1, title: 'Lamp', price: 30, createdAt: '2026-01-05T10:00:00.000Z' });
  });
});
