import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { io } from 'socket.io-client';
import { AppModule } from '../src/app.module';
import { setUp } from '../src/set-up';

describe('Rooms', () => {
  let app: NestFastifyApplication;

  beforeAll(async () => {
    const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
    app = module.createNestApplication<NestFastifyApplication>(new FastifyAdapter());
    setUp(app);
    await app.listen(0, '127.0.0.1');
  });

  afterAll(() => app.close());

  it('name who created them, in an envelope', async () => {
    const request = {
      method: 'POST',
      url: '/api/rooms',
      headers: { 'x-actor': 'ada' },
      payload: { slug: 'tea' },
    } as const;
    const body = (await app.inject(request)).json();
    expect(body).toMatchObject({ success: true, status: 201, data: { slug: 'tea', createdBy: 'ada' } });
  });

  it('tell what is said by web sockets', async () => {
    const socket = io(await app.getUrl());
    const heard = new Promise((resolve) => socket.once('said', resolve));
    socket.emit('say', { slug: 'lobby', text: 'Hello' });
    expect(await heard).toEqual({ slug: 'lobby', text: 'Hello' });
    socket.close();
  });
});
