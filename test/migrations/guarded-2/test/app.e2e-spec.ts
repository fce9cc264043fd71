import { INestApplication } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import { AppModule } from '../src/app.module';
import { SECRET } from '../src/jwt.guard';
import { strategy } from '../src/mcp';

describe('Records', () => {
  let app: INestApplication;

  beforeAll(async () => {
    const moduleRef = await Test.createTestingModule({ imports: [AppModule] }).compile();
    app = moduleRef.createNestApplication();
    strategy.setHttpAdapter(app.getHttpAdapter());
    app.connectMicroservice({ strategy });
    await app.startAllMicroservices();
    await app.init();
  });

  afterAll(() => app.close());

  function call(name: string, claims?: object, args = {}) {
    const sent = request(app.getHttpServer())
      .post('/clinic/mcp')
      .set('Accept', 'application/json, text/event-stream');
    if (claims) sent.set('Authorization', `Bearer ${new JwtService({ secret: SECRET }).sign(claims)}`);
    return sent.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
  }

  it('lets everybody call a public tool', async () => {
    const response = await call('opening-hours');
    expect(response.text).toContain('8 to 18');
    expect(response.headers['x-served-by']).toBe('clinic');
  });

  it('asks for scopes and roles', async () => {
    const scope = 'records:write records:delete';
    expect((await call('delete-record', { sub: '1', scope }, { id: 'r1' })).text).not.toContain('is deleted');
    expect(
      (await call('delete-record', { sub: '1', scope, roles: ['doctor'] }, { id: 'r1' })).text,
    ).toContain('is deleted');
  });

  it('asks for one of two scopes', async () => {
    expect((await call('report', { sub: '1', scope: 'admin' })).text).toContain('the report');
    expect((await call('report', { sub: '1', scope: 'other' })).text).not.toContain('the report');
  });

  it('refuses a wrong token', async () => {
    await request(app.getHttpServer())
      .post('/clinic/mcp')
      .set('Authorization', 'Bearer wrong')
      .send({})
      .expect(403);
  });
});
