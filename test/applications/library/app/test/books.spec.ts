import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppModule } from '../src/app.module.ts';

describe('Books', () => {
  let app: INestApplication;

  beforeAll(async () => {
    app = (await Test.createTestingModule({ imports: [AppModule] }).compile()).createNestApplication();
    await app.init();
  });

  afterAll(() => app.close());

  it('are lent to one reader at a time', async () => {
    const lend = (reader: string) => request(app.getHttpServer()).post('/books/1/loans').send({ reader });
    expect((await lend('ada')).body).toEqual({ id: 1, title: 'Emma', lentTo: 'ada' });
    expect((await lend('alan')).body.message).toBe('"Emma" is lent to ada');
    expect((await request(app.getHttpServer()).get('/books/borrowed')).body).toEqual(['ada: 1']);
  });
});
