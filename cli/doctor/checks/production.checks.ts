import { networkInterfaces } from 'node:os';
import { isLoopbackUrl } from '../../../lib/core/oauth/secure-url.js';
import {
  type Check,
  failure,
  list,
  ok,
  type Outcome,
  quote,
  warning,
} from '../../../lib/core/doctor/finding.js';
import type { Target } from '../../../lib/core/doctor/target.js';
import { readToken } from '../../../lib/core/doctor/read-token.js';
import { HEALTH_CHECKS } from './health.checks.js';
import { IDLE_STREAM_CHECKS } from './idle-stream.checks.js';
import { findAudienceProblem } from '../../../lib/core/doctor/checks/token.checks.js';
import { connect } from 'node:net';

/** What matters in production, and can be seen from outside. The names are those of the checks of settings. */
export const PRODUCTION_CHECKS: readonly Check[] = [
  { id: 'open-server', run: checkOpen },
  { id: 'public-url', run: checkPublicUrl },
  { id: 'issuer', run: checkIssuers },
  { id: 'unsigned-token', run: checkUnsigned },
  { id: 'audience', run: checkAudience },
  { id: 'origins', run: checkOrigins },
  { id: 'error-details', run: checkErrors },
  { id: 'server-header', run: checkHeader },
  { id: 'keep-alive', run: checkKeepAlive },
  ...HEALTH_CHECKS,
  ...IDLE_STREAM_CHECKS,
];

async function checkOpen(target: Target): Promise<Outcome> {
  if ((await target.initializeAnonymously()).result === undefined) return ok('A stranger is refused');
  const fix = 'Ask for tokens: the option "auth"';
  if (!target.isLocal) return failure('Everybody who reaches it may call it', fix);
  if (await isReachedFromOutside(target))
    return failure('Everybody who reaches this machine may call it', `${fix}, or listen on 127.0.0.1`);
  return ok('Everybody on this machine may call it, and no other machine reaches it');
}

/** What listens on all interfaces listens here too; what listens on 127.0.0.1 does not. */
const OTHER_LOOPBACK = '127.0.0.2';

/** Tells whether the server listens at another address of this machine, too. */
async function isReachedFromOutside({ url, options }: Target): Promise<boolean> {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const outer = Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .filter(({ internal, scopeid }) => !internal && !scopeid)
    .map(({ address }) => address);
  for (const address of [OTHER_LOOPBACK, ...outer]) {
    if (address !== url.hostname && (await canConnect(address, port, options.timeoutMs))) return true;
  }
  return false;
}

/** An address that drops packets says nothing at all. */
const LONGEST_MS = 1000;

/** Tells whether something listens at an address. */
export async function canConnect(host: string, port: number, timeoutMs: number): Promise<boolean> {
  try {
    await open(host, port, timeoutMs);
    return true;
  } catch {
    return false;
  }
}

function open(host: string, port: number, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: Math.min(timeoutMs, LONGEST_MS) });
    const close = (settle: () => void) => () => {
      socket.destroy();
      settle();
    };
    socket.once('connect', close(resolve));
    socket.once('timeout', close(reject));
    socket.on('error', close(reject));
  });
}

async function checkPublicUrl(target: Target): Promise<Outcome | undefined> {
  const { resource } = (await target.authorization.resource())?.document ?? {};
  if (typeof resource !== 'string' || !URL.canParse(resource)) return undefined;
  const fix = 'Set "publicUrl" to the URL that clients use';
  if (isLoopbackUrl(resource))
    return failure(`Clients are led to their own machine: ${quote(resource)}`, fix);
  if (!resource.startsWith('https:'))
    return failure(`Clients are led to plain "http": ${quote(resource)}`, fix);
  return ok(`Clients are led to ${quote(resource)}`);
}

async function checkIssuers(target: Target): Promise<Outcome | undefined> {
  const servers = await target.authorization.servers();
  if (servers.length === 0) return undefined;
  const insecure = servers.map(({ issuer }) => issuer).filter((issuer) => !issuer.startsWith('https:'));
  if (insecure.length === 0) return ok('Issuers are reached by "https"');
  return failure(
    `Issuers are reached by plain "http": ${list(insecure)}`,
    'Use "https": anybody on the way could supply false keys',
  );
}

/** Anybody can write such a token: it has no signature. */
async function checkUnsigned(target: Target): Promise<Outcome | undefined> {
  if ((await target.initializeAnonymously()).status !== 401) return undefined;
  const [server] = await target.authorization.servers();
  const claims = { iss: server?.issuer, sub: 'doctor', aud: target.publicUrl.href, exp: 4_102_444_800 };
  const token = `${encode({ alg: 'none', typ: 'at+jwt' })}.${encode(claims)}.`;
  const { status } = await target.send(await target.selectOpening(), {
    isAnonymous: true,
    headers: { authorization: `Bearer ${token}` },
  });
  if (status === 401) return ok('A token without a signature is refused');
  return failure(`A token without a signature is answered with ${status}`, 'Check signatures of tokens');
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

async function checkAudience(target: Target): Promise<Outcome | undefined> {
  const claims = readToken(target.options.token ?? '');
  if (claims === undefined || (await target.isClosed())) return undefined;
  if ((await findAudienceProblem(claims, target)) === undefined) return ok('The token is meant for it');
  return failure(
    'A token is taken that is not meant for it, so that any service its callers use may call it',
    'Check the audience of tokens',
  );
}

async function checkOrigins(target: Target): Promise<Outcome> {
  const answer = await target.request(
    {
      method: 'OPTIONS',
      headers: {
        origin: 'https://doctor.invalid',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    },
    true,
  );
  const { 'access-control-allow-origin': allowed } = answer.headers;
  if (allowed !== '*' && allowed !== 'https://doctor.invalid')
    return ok('Pages of listed origins alone may call');
  const isOpen = (await target.initializeAnonymously()).result !== undefined;
  if (!isOpen) return ok('Pages of any site may call, with a token');
  return warning('Pages of any site may call, without a token', 'List the origins that are meant');
}

/** A file with the place in it, as stacks show it, or where packages are. */
const DETAILS = /\bat .{0,200}?:\d+:\d+\b|node_modules|file:\/\/\//;

/** What cannot be parsed, what is nowhere, and what is no media type: each is refused by other code. */
async function checkErrors(target: Target): Promise<Outcome> {
  const json = { 'content-type': 'application/json' };
  const answers = await Promise.all([
    target.request({ method: 'POST', headers: json, body: '{"jsonrpc":' }),
    target.request({ method: 'POST', headers: { 'content-type': 'doctor' }, body: '{}' }),
    target.request({ method: 'POST', headers: json, body: '{"jsonrpc":"2.0","id":1,"method":"doctor"}' }),
    target.requestAt('/doctor-%ff', { method: 'GET' }),
    target.requestAt('/doctor.invalid', { method: 'POST', headers: json, body: '{"jsonrpc":' }),
  ]);
  if (!answers.some(({ body }) => DETAILS.test(body))) return ok('Errors show no code');
  return failure(
    'Errors show stacks or paths of the server',
    'Set NODE_ENV=production, and let exception filters answer without details',
  );
}

async function checkHeader(target: Target): Promise<Outcome> {
  const { headers } = await target.initializeAnonymously();
  const { 'x-powered-by': product } = headers;
  if (product === undefined) return ok('No header names the framework');
  return warning(
    `"X-Powered-By" is ${quote(product)}`,
    'Take it away: app.disable("x-powered-by") on Express',
  );
}

/** What most proxies keep a connection for, in seconds. */
const PROXY_IDLE_SECONDS = 60;

/** Elsewhere it is a proxy that answers, whose connections to the server do not show. */
async function checkKeepAlive(target: Target): Promise<Outcome | undefined> {
  if (!target.isLocal) return undefined;
  const { headers } = await target.request({ method: 'GET', headers: { connection: 'keep-alive' } }, true);
  const seconds = /\btimeout=(\d+)/.exec(headers['keep-alive'] ?? '')?.[1];
  if (seconds === undefined) return undefined;
  if (Number(seconds) > PROXY_IDLE_SECONDS) return ok(`Idle connections are kept for ${seconds} s`);
  return warning(
    `Idle connections end after ${seconds} s, before most proxies close them: some requests get 502`,
    'Set "app.getHttpServer().keepAliveTimeout = 75_000"',
  );
}
