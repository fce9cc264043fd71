import { describe, expect, it } from '@jest/globals';
import { HandlerResponse } from '../../../../../../lib/server/catalog/invocation/response/handler-response.js';
import { buildContext } from '../../boot-catalog.js';

const create = () => new HandlerResponse(buildContext(), undefined);

describe('HandlerResponse', () => {
  it.each<[string, (response: HandlerResponse) => unknown, number, unknown]>([
    ['Express', (response) => response.status(404).json({ a: 1 }), 404, { a: 1 }],
    ['Express, by status alone', (response) => response.sendStatus(503), 503, undefined],
    ['Express, elsewhere', (response) => response.redirect(301, '/there'), 301, undefined],
    ['Fastify', (response) => response.code(404).type('text/plain').send('gone'), 404, 'gone'],
    ['Fastify, elsewhere', (response) => response.redirect('/there', 303), 303, undefined],
    ['Node', (response) => response.writeHead(400, { 'X-A': '1' }).end('{"a":1}'), 400, '{"a":1}'],
    [
      'Node, in pieces',
      (response) => [response.write('a'), response.write(Buffer.from('b')), response.end('c')],
      200,
      'abc',
    ],
    ['Fastify, by Node’s', (response) => response.code(402).raw.end(), 402, undefined],
  ])('keeps what is sent as %s has it (NEST-04)', (_shape, send, status, body) => {
    const response = create();
    send(response);
    expect(response.sentResponse).toEqual({ status, body });
    expect([response.headersSent, response.sent, response.writableEnded]).toEqual([true, true, true]);
  });

  it.each(['cookie', 'setCookie', 'clearCookie', 'sendFile', 'download', 'render', 'view', 'format'])(
    'fails by the name of what no answer of a call can be: %s (NEST-04)',
    (name) => {
      const response = create() as unknown as Record<string, (...given: unknown[]) => unknown>;
      expect(() => response[name]?.('page')).toThrow(
        new RegExp(`^"response\\.${name}\\(\\)" works only on routes, not in handler calls: `),
      );
    },
  );

  it('keeps what is sent first (NEST-04)', () => {
    const response = create().status(400).json({ first: true });
    response.status(500).json({ first: false });
    expect(response.sentResponse).toEqual({ status: 400, body: { first: true } });
  });

  it.each<[string, (response: HandlerResponse) => unknown]>([
    ['one', (response) => response.setHeader('X-A', '1').setHeader('X-B', '2')],
    ['a map of Express', (response) => response.set({ 'X-A': '1', 'x-b': '2' })],
    ['a map of Fastify', (response) => response.headers({ 'X-A': '1', 'x-b': '2', 'x-c': undefined })],
    [
      'a Map',
      (response) =>
        response.setHeaders(
          new Map([
            ['X-A', '1'],
            ['X-B', '2'],
          ]),
        ),
    ],
    ['a head', (response) => response.writeHead(200, 'OK', { 'X-A': '1', 'X-B': '2' })],
  ])('takes headers by %s, whatever their case (NEST-04)', (_form, set) => {
    const response = create();
    set(response);
    expect(response.getHeaders()).toEqual({ 'x-a': '1', 'x-b': '2' });
    expect([response.get('X-b'), response.hasHeader('x-A'), response.getHeaderNames()]).toEqual([
      '2',
      true,
      ['x-a', 'x-b'],
    ]);
  });

  it('appends to headers (NEST-04)', () => {
    const response = create().append('Set-Cookie', 'a=1').append('Set-Cookie', 'b=2').vary(['Origin', 'X-A']);
    expect(response.getHeaders()).toEqual({ 'set-cookie': ['a=1', 'b=2'], vary: 'Origin, X-A' });
  });

  it('passes on the first error that "next()" is given (NEST-04)', () => {
    const response = create();
    response.next();
    response.next('route');
    expect(response.forwardedError).toBeUndefined();
    response.next(1);
    response.next(2);
    expect(response.forwardedError).toEqual({ error: 1 });
  });

  it('is over once (NEST-04)', () => {
    const [heard, response] = [[] as string[], create()];
    response.on('finish', () => heard.push('finish')).on('close', () => heard.push('close'));
    response.finish();
    response.finish();
    expect([heard, response.writableFinished]).toEqual([['finish', 'close'], true]);
  });
});
