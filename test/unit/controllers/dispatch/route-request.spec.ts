import { describe, expect, it } from '@jest/globals';
import type { TLSSocket } from 'node:tls';
import { CollectedResponse, RouteRequest } from '../../../../lib/controllers/dispatch/route-request.js';

const PARTS = { method: 'GET', url: '/cats', headers: { 'x-tenant': 'acme', cookie: 'a=1' } };

/** A connection as far as routes look at it. */
class Caller {
  remoteAddress = '192.0.2.7';
  encrypted = true;
  readonly subject = 'ada';

  getPeerCertificate() {
    return { subject: this.subject };
  }
}

describe('A request to a route', () => {
  it('has the address and the certificate of the connection of its caller (ROUTE-02)', () => {
    const { socket } = new RouteRequest(PARTS, new Caller());
    const { remoteAddress, encrypted } = socket as TLSSocket;
    expect([remoteAddress, encrypted]).toEqual(['192.0.2.7', true]);
    expect((socket as TLSSocket).getPeerCertificate()).toEqual({ subject: 'ada' });
  });

  it.each([undefined, null])('has no address without a connection: %s (ROUTE-02)', (caller) => {
    expect(new RouteRequest(PARTS, caller).socket.remoteAddress).toBeUndefined();
  });

  it('has its headers as Node has them, and its body (ROUTE-02)', async () => {
    const request = new RouteRequest({ ...PARTS, body: Buffer.from('{}') }, undefined);
    expect(request.rawHeaders).toEqual(['x-tenant', 'acme', 'cookie', 'a=1']);
    expect(Buffer.concat(await request.toArray()).toString()).toBe('{}');
  });
});

describe('A response of a route', () => {
  const collect = () => new CollectedResponse(new RouteRequest(PARTS, undefined), 8);

  it.each([
    [{ 'Content-Type': 'text/plain' }],
    [['Content-Type', 'text/plain']],
    [[['Content-Type', 'text/plain']]],
  ])('has headers that are given with its status: %j (ROUTE-02)', (headers) => {
    const collected = collect();
    collected.response.writeHead(200, headers as never);
    expect(collected.findHeader('content-type')).toBe('text/plain');
  });

  it('has headers that are set before (ROUTE-02)', () => {
    const collected = collect();
    collected.response.setHeader('Location', '/dogs');
    expect(collected.findHeader('location')).toBe('/dogs');
  });

  it('has what is written, in any encoding, up to its limit (ROUTE-02)', () => {
    const collected = collect();
    collected.response.write('YWJj', 'base64');
    collected.response.write(new Uint8Array([100]));
    collected.response.end('ä');
    expect([collected.body.toString(), collected.isTooLarge]).toEqual(['abcdä', false]);
    const large = collect();
    large.response.write('12345678');
    expect(large.isTooLarge).toBe(false);
    large.response.write('9');
    expect([large.isTooLarge, large.body.length]).toEqual([true, 8]);
  });
});
