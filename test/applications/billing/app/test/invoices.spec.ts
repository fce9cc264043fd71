import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import { AppModule } from '../src/app.module';

describe('Invoices', () => {
  let app: INestApplication;

  beforeAll(async () => {
    app = (await Test.createTestingModule({ imports: [AppModule] }).compile()).createNestApplication();
    await app.init();
  });

  afterAll(() => app.close());

  it('are those of the tenant that asks', async () => {
    const ask = (tenant: string) => request(app.getHttpServer()).get('/invoices').set('x-tenant', tenant);
    expect((await ask('acme')).body.invoices).toEqual([{ number: 1, net: 100, tax: 19 }]);
    expect((await ask('globex')).body.invoices).toEqual([{ number: 7, net: 20, tax: 0 }]);
    expect((await ask('initech')).status).toBe(403);
  });
});
