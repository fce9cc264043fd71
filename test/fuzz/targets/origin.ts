import type { IncomingMessage, ServerResponse } from 'node:http';
import { buildServerSettings } from '../../../lib/server/settings/server-settings.js';
import { CrossOrigin, OriginPolicy } from '../../../lib/server/transport/http/edge/origin-policy.js';
import { assertHolds, readFields } from '../contract.js';

const LISTED = 'https://app.example.com';
const LOOPBACK: readonly unknown[] = ['localhost', '127.0.0.1', '[::1]'];
const POLICY = new OriginPolicy(
  buildServerSettings({
    serverInfo: { name: 'desk', version: '1.0.0' },
    allowedOrigins: [LISTED],
    allowedHosts: ['desk.example.com'],
  }),
);
const CROSS_ORIGIN = new CrossOrigin({ origins: [LISTED], maxAgeSeconds: 1 });

/** Judges `Origin`, `Host` and the headers that a preflight asks for; zeros stand between them. */
export function fuzz(bytes: Buffer): void {
  const [origin = '', host = '', asked = ''] = readFields(bytes, 'latin1');
  if (POLICY.allowsOrigin(origin)) {
    const url = new URL(origin);
    assertHolds(
      url.origin === LISTED || LOOPBACK.includes(url.hostname),
      'an origin that may call is listed or near',
    );
  }
  assertHost(host);
  const headers = answerPreflight(asked);
  for (const value of Object.values(headers)) {
    assertHolds(/^[\x20-\x7e]*$/.test(String(value)), 'no header divides an answer');
    assertHolds(String(value).length < 8192, 'a preflight is answered shortly');
  }
}

function assertHost(host: string): void {
  const request = { headers: { host }, socket: { localAddress: '127.0.0.1' } } as unknown as IncomingMessage;
  if (POLICY.findProblem(request) !== undefined) return;
  const { hostname } = new URL(`http://${host.replace(/:\d+$/, '')}`);
  assertHolds(
    hostname === 'desk.example.com' || LOOPBACK.includes(hostname),
    'a host that is asked for is ours',
  );
}

function answerPreflight(asked: string): object {
  let answered: object = {};
  const request = { headers: { 'access-control-request-headers': asked } } as unknown as IncomingMessage;
  const response = {
    writeHead: (_status: number, headers: object) => (answered = headers),
    end: () => undefined,
  } as unknown as ServerResponse;
  CROSS_ORIGIN.answerPreflight(request, response, 'POST');
  return answered;
}
