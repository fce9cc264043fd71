import { createServer, get, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EventStreamWriter } from '../../../../../../lib/server/transport/http/streams/event-stream-writer.js';
import { readResponse } from '../../../../../support/clients/raw-http.js';
import { within } from '../../../../../support/until.js';
import { buildSettings } from '../../../../support/settings.js';

describe('EventStreamWriter', () => {
  let server: Server;

  beforeEach(async () => {
    server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Lets a function answer one request and gives what the client read. */
  async function answer(write: (response: ServerResponse) => void): Promise<string> {
    server.once('request', (_, response: ServerResponse) => write(response));
    const { port } = server.address() as AddressInfo;
    const opened = new Promise<Parameters<typeof readResponse>[0]>((resolve, reject) => {
      get({ port, host: '127.0.0.1', agent: false }, resolve).once('error', reject);
    });
    return (await readResponse(await within(opened, 'the head of an answer'))).text;
  }

  it('writes a message with its id, and what comes before there is one (HTTP-04)', async () => {
    const text = await answer((response) => {
      const writer = new EventStreamWriter(response, buildSettings(), () => undefined);
      writer.writePriming('0:0');
      writer.writeMessage('{"a":1}', '0:1');
      writer.writeKeepAlive();
      writer.writeMessage('{"b":2}');
      writer.end();
    });
    expect(text).toBe(
      'id: 0:0\ndata: \n\n' +
        'event: message\nid: 0:1\ndata: {"a":1}\n\n:\n\nevent: message\ndata: {"b":2}\n\n',
    );
  });

  it('tells once that the stream is over, and writes nothing more (HTTP-08)', async () => {
    const ended: boolean[] = [];
    const text = await answer((response) => {
      const writer = new EventStreamWriter(response, buildSettings(), ({ isOpen }) => ended.push(isOpen));
      writer.end();
      writer.end();
      writer.writeMessage('late');
    });
    expect([text, ended]).toEqual(['', [false]]);
  });

  it('writes nothing to a response that something else has ended (SAFE-04)', async () => {
    const errors: Error[] = [];
    const text = await answer((response) => {
      response.on('error', (error) => errors.push(error));
      const end = response.end.bind(response);
      const writer = new EventStreamWriter(response, buildSettings(), () => undefined);
      writer.writeMessage('first');
      end();
      writer.writeMessage('second');
      writer.writeKeepAlive();
    });
    expect([text, errors]).toEqual(['event: message\ndata: first\n\n', []]);
  });

  it('is closed to whoever has the response besides (SAFE-04)', async () => {
    const text = await answer((response) => {
      const writer = new EventStreamWriter(response, buildSettings(), () => undefined);
      writer.writeMessage('first');
      response.setHeader('X-Late', '1').removeHeader('X-Late');
      response.writeHead(500).write('foreign');
      response.end('foreign');
      writer.writeMessage('second');
      writer.end();
    });
    expect(text).toBe('event: message\ndata: first\n\nevent: message\ndata: second\n\n');
  });

  it('writes no head for a client that is gone (HTTP-08)', async () => {
    const left: boolean[] = [];
    const gone = answer((response) => {
      response.destroy();
      const writer = new EventStreamWriter(response, buildSettings(), ({ isOpen }) => left.push(isOpen));
      left.push(writer.isOpen, response.headersSent);
    });
    await expect(gone).rejects.toThrow('socket hang up');
    expect(left).toEqual([false, false, false]);
  });
});
