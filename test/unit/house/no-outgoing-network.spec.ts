import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';

describe('The network of a test', () => {
  it('ends at this machine', async () => {
    expect(() => connect(80, '192.0.2.1')).toThrow('"192.0.2.1"');
    expect(() => request('http://example.com/').end()).toThrow('"example.com"');
    await expect(fetch('http://example.com/')).rejects.toMatchObject({
      cause: expect.objectContaining({ message: expect.stringContaining('"example.com"') }),
    });
  });

  it('reaches a server on loopback', async () => {
    const server = createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const [text] = await once(socket, 'data');
    expect(String(text)).toBe('hello');
    server.close();
    await once(server, 'close');
  });
});
