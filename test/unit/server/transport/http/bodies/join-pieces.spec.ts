import { connect } from 'node:net';
import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { joinPieces, readBody } from '../../../../../../lib/server/transport/http/bodies/request-body.js';
import { sendBytes } from '../../../../../support/clients/raw-http.js';
import { until } from '../../../../../support/until.js';
import { TestServer } from '../../../../support/http-server.js';

const HEAD =
  'POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
const TEXT = Array.from({ length: 40_000 }, (_, index) => String(index % 10)).join('');
const chunk = (text: string): string => [...text].map((byte) => `1\r\n${byte}\r\n`).join('');

async function readPieces(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request) text += String(piece);
  return text;
}

function hear(request: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    request.on('data', (piece: Buffer) => (text += piece.toString()));
    request.on('end', () => resolve(text));
  });
}

describe('joinPieces', () => {
  let server: TestServer;

  beforeEach(async () => {
    server = await TestServer.start();
  });

  afterEach(() => server.stop());

  it.each([
    ['the endpoint', (request: IncomingMessage) => readBody(request, 1e6).then(String)],
    ['a loop', readPieces],
    ['a listener', hear],
  ])('gives the whole body to %s, at once or later (HTTP-07)', async (_who, read) => {
    for (const text of ['', 'x', TEXT]) {
      for (const isLater of [false, true]) {
        server.handle((request, response) => {
          joinPieces(request);
          const answer = async (): Promise<void> => {
            const hasCome = () => request.complete || request.socket.bytesRead > TEXT.length;
            if (isLater) await until(hasCome, 'as much as Node reads');
            response.end(JSON.stringify(await read(request)));
          };
          void answer();
        });
        expect(await sendBytes(server.port, `${HEAD}${chunk(text)}0\r\n\r\n`)).toContain(`\r\n"${text}"`);
      }
    }
  });

  it('keeps a body that nobody reads as one piece (FAIR-02)', async () => {
    const requests: IncomingMessage[] = [];
    const pieces: number[] = [];
    server.handle((request) => {
      joinPieces(request);
      requests.push(request);
    });
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`${HEAD}${chunk('0123456789')}0\r\n\r\n`);
    const request = await until(() => requests.find(({ complete }) => complete), 'the request');
    request.on('data', (piece: Buffer) => pieces.push(piece.length));
    await until(() => pieces.length > 0, 'the body');
    expect(pieces).toEqual([10]);
    socket.destroy();
  });

  it('lets the next request come on the connection if nobody reads the body of one (HTTP-07)', async () => {
    server.handle((request, response) => {
      joinPieces(request);
      response.end(`${request.method}`);
    });
    const next = 'GET /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    const first = HEAD.replace('Connection: close\r\n', '');
    const received = await sendBytes(server.port, `${first}${chunk(TEXT)}0\r\n\r\n${next}`);
    expect(received.match(/HTTP\/1.1 200/g)).toHaveLength(2);
  });
});
