import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import { AppModule } from '../src/app.module';
import { setUp } from '../src/set-up';

describe('Users', () => {
  let app: INestApplication;
  let token: string;

  beforeAll(async () => {
    app = (await Test.createTestingModule({ imports: [AppModule] }).compile()).createNestApplication();
    setUp(app);
    await app.init();
    const credentials = { email: 'ada@example.com', password: 'Analytical' };
    const { body } = await request(app.getHttpServer()).post('/api/v1/auth/login').send(credentials);
    token = body.token;
  });

  afterAll(() => app.close());

  it('are not shown to anybody', () => request(app.getHttpServer()).get('/api/v1/users').expect(401));

  it('are shown without their passwords', async () => {
    const { body } = await request(app.getHttpServer())
      .get('/api/v1/users?limit=1')
      .auth(token, { type: 'bearer' })
      .expect(200);
    expect(body.users).toEqual([
      { id: 1, name: 'Ada Lovelace', role: 'admin', initials: 'AL', createdAt: expect.any(String) },
    ]);
  });

  it('are refused by field', () =>
    request(app.getHttpServer())
      .post('/api/v1/users')
      .auth(token, { type: 'bearer' })
      .send({ email: 'ada@example.com', password: 'long enough', name: 'Ada' })
      .expect(422, { status: 422, errors: { email: 'This email is taken' } }));
});
