import { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { JwtService } from '@nestjs/jwt';
import request from 'supertest';
import { AppModule } from '../src/app.module';

const SECRET = 'a-secret-for-development-of-32-characters';

describe('Records', () => {
  let app: INestApplication;

  beforeAll(async () => {
    const moduleRef = await Test.createTestingModule({ imports: [AppModule] }).compile();
    app = moduleRef.createNestApplication();
    await app.init();
  });

  afterAll(() => app.close());

  function call(name: string, claims?: object, args = {}) {
    const sent = request(app.getHttpServer())
      .post('/mcp')
      .set('Accept', 'application/json, text/event-stream');
    if (claims) sent.set('Authorization', `Bearer ${new JwtService({ secret: SECRET }).sign(claims)}`);
    return sent.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
  }

  it('lets everybody call a public tool', async () => {
    expect((await call('opening-hours')).text).toContain('8 to 18');
  });

  it('refuses a tool without its scopes', async () => {
    const response = await call('delete-record', { sub: '1', scope: 'records:write' }, { id: 'r1' });
    expect(response.text).not.toContain('is deleted');
  });

  it('allows a tool with its scopes', async () => {
    const response = await call(
      'delete-record',
      { sub: '1', scope: 'records:write records:delete' },
      { id: 'r1' },
    );
    expect(response.text).toContain('r1 is deleted');
  });

  it('refuses a wrong token', async () => {
    await request(app.getHttpServer()).post('/mcp').set('Authorization', 'Bearer wrong').send({}).expect(401);
  });

  it('serves the metadata of its authorization server', async () => {
    const { body } = await request(app.getHttpServer())
      .get('/.well-known/oauth-authorization-server')
      .expect(200);
    expect(body.issuer).toBe('http://localhost:3000');
  });
});
