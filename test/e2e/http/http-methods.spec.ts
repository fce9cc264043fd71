import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Put } from '@nestjs/common';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize } from '../../support/clients/json-rpc.js';
import { sendHttp } from '../../support/clients/raw-http.js';

@Controller('tickets')
class TicketController {
  @Put()
  replace(): object {
    return { replaced: true };
  }
}

describe.each(ADAPTERS)('the HTTP methods of the endpoint on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, controllers: [TicketController] });
  });

  afterAll(() => desk.close());

  it.each(['PUT', 'PATCH', 'HEAD', 'OPTIONS', 'SEARCH'])(
    'are GET, POST and DELETE: %s gets 405 with Allow (HTTP-01)',
    async (method) => {
      const answer = await sendHttp(desk.url, { method });
      const allowed = String(answer.headers['allow']).split(/, */).toSorted();
      expect([answer.status, allowed]).toEqual([405, ['DELETE', 'GET', 'POST']]);
    },
  );

  it('are refused before the body is looked at (HTTP-01)', async () => {
    const answer = await sendHttp(desk.url, {
      method: 'PUT',
      body: '{',
      headers: { 'content-type': 'text/plain' },
    });
    expect(answer.status).toBe(405);
  });

  it('are all served (HTTP-01)', async () => {
    const session = await initialize(desk.url);
    const stream = await session.openStream();
    const answer = await session.delete();
    expect([session.handshake.status, stream.status, answer.status < 300]).toEqual([200, 200, true]);
  });

  it('are no matter of other paths (HTTP-01)', async () => {
    const answer = await sendHttp(`${desk.origin}/tickets`, { method: 'PUT', json: {} });
    expect([answer.status, answer.json]).toEqual([200, { replaced: true }]);
    expect((await sendHttp(`${desk.origin}/nothing-here`, { method: 'PUT', json: {} })).status).toBe(404);
  });
});
