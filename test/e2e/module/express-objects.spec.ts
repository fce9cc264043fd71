import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, IncomingMessage, ServerResponse, type Server } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import type { AppOptions, RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { sendHttp } from '../../support/clients/raw-http.js';

@Controller('plain')
class PlainController {
  @Get()
  plain(@Req() request: Request, @Res() response: Response): void {
    response.status(201).json({ path: request.path, query: request.query, accept: request.accepts('json') });
  }
}

interface ExpressPrototypes {
  readonly request: object;
  readonly response: object;
}

class OwnRequest extends IncomingMessage {}
class OwnResponse extends ServerResponse<OwnRequest> {}

class OwnServerAdapter extends ExpressAdapter {
  override initHttpServer(): void {
    const classes = { IncomingMessage: OwnRequest, ServerResponse: OwnResponse };
    this.httpServer = createServer(classes, this.getInstance());
  }
}

/** Asks V8 for the form of an object; members of the other form are looked up in a table. */
function isFast(object: object): boolean {
  setFlagsFromString('--allow-natives-syntax');
  try {
    const ask = runInThisContext('(object) => %HasFastProperties(object)') as (object: object) => boolean;
    return ask(object);
  } finally {
    setFlagsFromString('--no-allow-natives-syntax');
  }
}

describe("Express's requests and responses (MOD-09)", () => {
  let desk: RunningApp;

  afterEach(() => desk.close());

  async function boot(
    options: Pick<AppOptions, 'adapter'> = {},
  ): Promise<{ server: Server; express: ExpressPrototypes }> {
    desk = await bootServer({ controllers: [PlainController], ...options });
    return { server: desk.app.getHttpServer(), express: desk.app.getHttpAdapter().getInstance() };
  }

  /** Gives what objects inherit from before Express has seen them. */
  async function seePrototypes(server: Server): Promise<unknown[]> {
    const seen: unknown[] = [];
    server.prependOnceListener('request', (request, response) => {
      seen.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
    });
    await sendHttp(`${desk.origin}/plain?a=1`);
    return seen;
  }

  it('are created as Express would change them', async () => {
    const { server, express } = await boot();
    const [request, response] = await seePrototypes(server);
    expect(request === express.request).toBe(true);
    expect(response === express.response).toBe(true);
  });

  it('keep the form in which V8 finds their members fastest, to the end of a call', async () => {
    const { server } = await boot();
    const forms: boolean[] = [];
    server.on('request', (request, response) => {
      response.once('finish', () => forms.push(isFast(request), isFast(response)));
    });
    for (let count = 0; count < 20; count += 1) await perRequest(desk.url).request('server/discover');
    expect(forms).toEqual(Array.from({ length: 40 }, () => true));
  });

  it("are what they were to the application's own routes", async () => {
    await boot();
    const { status, json } = await sendHttp(`${desk.origin}/plain?a=1`);
    expect([status, json]).toEqual([201, { path: '/plain', query: { a: '1' }, accept: 'json' }]);
  });

  it('stay of the classes that an application has chosen', async () => {
    const { server } = await boot({ adapter: new OwnServerAdapter() });
    const [request, response] = await seePrototypes(server);
    expect(request === OwnRequest.prototype).toBe(true);
    expect(response === OwnResponse.prototype).toBe(true);
    expect((await perRequest(desk.url).request('tools/list')).status).toBe(200);
  });
});
