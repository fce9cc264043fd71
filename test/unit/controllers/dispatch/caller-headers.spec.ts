import { describe, expect, it } from '@jest/globals';
import {
  isArgumentHeader,
  selectCallerHeaders,
} from '../../../../lib/controllers/dispatch/caller-headers.js';

/** They describe the request of the caller alone. */
const OF_MESSAGE = [
  'accept',
  'content-length',
  'content-type',
  'content-language',
  'dpop',
  'expect',
  'if-none-match',
  'mcp-session-id',
  'transfer-encoding',
  'upgrade',
  ':path',
];

/** They describe the caller. */
const OF_CALLER = [
  'authorization',
  'cookie',
  'host',
  'origin',
  'sec-fetch-site',
  'x-forwarded-for',
  'x-http-method-override',
  'x-real-ip',
];

const OTHERS = ['accept-language', 'traceparent', 'x-currency', 'x-tenant'];

describe('The headers of a request to a route', () => {
  it('are those of the caller, without those of the message (ROUTE-02)', () => {
    const names = [...OF_MESSAGE, ...OF_CALLER, ...OTHERS];
    const selected = selectCallerHeaders(Object.fromEntries(names.map((name) => [name, 'value'])));
    expect(Object.keys(selected)).toEqual([...OF_CALLER, ...OTHERS]);
  });

  it('have the authority of HTTP/2 as the host (ROUTE-02)', () => {
    expect(selectCallerHeaders({ ':authority': 'desk.example.com' })).toEqual({ host: 'desk.example.com' });
  });

  it.each([...OF_MESSAGE, ...OF_CALLER])('cannot be an argument: %s (ROUTE-02)', (name) => {
    expect(isArgumentHeader(name)).toBe(false);
  });

  it.each(OTHERS)('can be an argument: %s (ROUTE-02)', (name) => {
    expect(isArgumentHeader(name)).toBe(true);
  });
});
