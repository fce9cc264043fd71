import { afterEach, describe, expect, it } from '@jest/globals';
import { RequestContext } from '../../../../lib/server/context/request-context.js';
import type { Hosting } from '../../../../lib/server/context/request-parts.interface.js';
import { isLocalCall } from '../../../../lib/server/dispatch/failure-mapper.js';
import { buildPeer, buildRequest, RecordingChannel } from '../../support/requests.js';

const LOCAL = {
  headers: { host: '127.0.0.1:3000' },
  socket: { remoteAddress: '127.0.0.1' },
  httpVersionMajor: 1,
  httpVersionMinor: 1,
};
const { NODE_ENV } = process.env;

const over = (request: unknown, hosting?: Hosting) => {
  const channel = Object.assign(new RecordingChannel(), { http: { headers: {}, request } });
  return new RequestContext(buildRequest('tools/call', { name: 'a' }), {
    peer: buildPeer(),
    channel,
    hosting,
  });
};

const overStdio = () => {
  const channel = Object.assign(new RecordingChannel(), { isPipe: true });
  return new RequestContext(buildRequest('tools/call', { name: 'a' }), { peer: buildPeer(), channel });
};

describe('isLocalCall()', () => {
  afterEach(() => {
    process.env.NODE_ENV = NODE_ENV;
  });

  it('takes a request of this machine on either adapter (CORE-05)', () => {
    expect(isLocalCall(over(LOCAL))).toBe(true);
    expect(isLocalCall(over({ raw: LOCAL }))).toBe(true);
  });

  it.each([
    ['that another process passed on', { headers: {} }],
    ['of nothing', undefined],
    ['of a Unix socket', { ...LOCAL, socket: {} }],
    [
      'of a page of another site',
      { ...LOCAL, headers: { ...LOCAL.headers, origin: 'https://a.example.com' } },
    ],
    ['of a page without an origin', { ...LOCAL, headers: { ...LOCAL.headers, origin: 'null' } }],
    ['through the port of a container', { ...LOCAL, socket: { remoteAddress: '172.17.0.1' } }],
  ])('refuses a request %s (CORE-05)', (_what, request) => {
    expect(isLocalCall(over(request))).toBe(false);
  });

  it('takes a page of this machine, whatever its port (CORE-05)', () => {
    const origin = 'http://localhost:5173';
    expect(isLocalCall(over({ ...LOCAL, headers: { ...LOCAL.headers, origin } }))).toBe(true);
  });

  it('refuses what is called in place of a client, as a task is (CORE-05)', () => {
    expect(isLocalCall(over(LOCAL, { maker: {}, transport: 'http' }))).toBe(false);
  });

  it.each([
    ['development', true],
    ['production', false],
    ['test', false],
    [undefined, false],
  ])('goes by the environment over stdio: %s (CORE-05)', (environment, expected) => {
    if (environment === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = environment;
    expect(isLocalCall(overStdio())).toBe(expected);
  });
});
