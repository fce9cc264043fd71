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

/** The production checks on a running server. They have the same names as the corresponding settings checks. */
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
  if ((await target.initializeAnonymously()).result === undefined)
    return ok('Anonymous callers are rejected');
  const fix = 'Require tokens with the option "auth"';
  if (!target.isLocal) return failure('Any client that can reach the server may call it', fix);
  if (await isReachedFromOutside(target))
    return failure('Any client that can reach this machine may call it', `${fix}, or listen on 127.0.0.1`);
  return ok('Any program on this machine may call it, and other machines cannot reach it');
}

/** A server that listens on all interfaces listens here too; a server that listens on 127.0.0.1 does not. */
const OTHER_LOOPBACK = '127.0.0.2';

/** Returns whether the server also listens on another address of this machine. */
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

/** An address that drops packets never responds. */
const LONGEST_MS = 1000;

/** Returns whether an address accepts connections. */
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
    return failure(`Clients are directed to their own machine: ${quote(resource)}`, fix);
  if (!resource.startsWith('https:'))
    return failure(`Clients are directed to plain "http": ${quote(resource)}`, fix);
  return ok(`Clients are directed to ${quote(resource)}`);
}

async function checkIssuers(target: Target): Promise<Outcome | undefined> {
  const servers = await target.authorization.servers();
  if (servers.length === 0) return undefined;
  const insecure = servers.map(({ issuer }) => issuer).filter((issuer) => !issuer.startsWith('https:'));
  if (insecure.length === 0) return ok('All issuers use "https"');
  return failure(
    `Issuers use plain "http": ${list(insecure)}`,
    'Use "https": an attacker on the network could supply false keys',
  );
}

/** A token without a signature can be forged by anyone. */
async function checkUnsigned(target: Target): Promise<Outcome | undefined> {
  if ((await target.initializeAnonymously()).status !== 401) return undefined;
  const [server] = await target.authorization.servers();
  const claims = { iss: server?.issuer, sub: 'doctor', aud: target.publicUrl.href, exp: 4_102_444_800 };
  const token = `${encode({ alg: 'none', typ: 'at+jwt' })}.${encode(claims)}.`;
  const { status } = await target.send(await target.selectOpening(), {
    isAnonymous: true,
    headers: { authorization: `Bearer ${token}` },
  });
  if (status === 401) return ok('A token without a signature is rejected');
  return failure(`A token without a signature returns ${status} instead of 401`, 'Validate token signatures');
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

async function checkAudience(target: Target): Promise<Outcome | undefined> {
  const claims = readToken(target.options.token ?? '');
  if (claims === undefined || (await target.isClosed())) return undefined;
  if ((await findAudienceProblem(claims, target)) === undefined)
    return ok('The token is meant for this server');
  return failure(
    'The server accepts a token that is meant for another service, so any service that receives a token from a caller can call it',
    'Validate the audience of tokens',
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
    return ok('Only pages from listed origins may call the server');
  const isOpen = (await target.initializeAnonymously()).result !== undefined;
  if (!isOpen) return ok('Pages from any origin may call the server, with a token');
  return warning('Pages from any origin may call the server without a token', 'List the allowed origins');
}

/** A source position as in a stack, or a package path. */
const DETAILS = /\bat .{0,200}?:\d+:\d+\b|node_modules|file:\/\/\//;

/** Invalid JSON, unknown paths and an invalid media type, each of which is rejected by different code. */
async function checkErrors(target: Target): Promise<Outcome> {
  const json = { 'content-type': 'application/json' };
  const answers = await Promise.all([
    target.request({ method: 'POST', headers: json, body: '{"jsonrpc":' }),
    target.request({ method: 'POST', headers: { 'content-type': 'doctor' }, body: '{}' }),
    target.request({ method: 'POST', headers: json, body: '{"jsonrpc":"2.0","id":1,"method":"doctor"}' }),
    target.requestAt('/doctor-%ff', { method: 'GET' }),
    target.requestAt('/doctor.invalid', { method: 'POST', headers: json, body: '{"jsonrpc":' }),
  ]);
  if (!answers.some(({ body }) => DETAILS.test(body))) return ok('Errors reveal no code');
  return failure(
    'Errors reveal stacks or paths',
    'Set NODE_ENV=production, and omit details from exception filter responses',
  );
}

async function checkHeader(target: Target): Promise<Outcome> {
  const { headers } = await target.initializeAnonymously();
  const { 'x-powered-by': product } = headers;
  if (product === undefined) return ok('No header names the framework');
  return warning(`"X-Powered-By" is ${quote(product)}`, 'Remove it: app.disable("x-powered-by") on Express');
}

/** How long most proxies keep an idle connection open, in seconds. */
const PROXY_IDLE_SECONDS = 60;

/** On other machines, a proxy may respond, whose own connections to the server are not visible. */
async function checkKeepAlive(target: Target): Promise<Outcome | undefined> {
  if (!target.isLocal) return undefined;
  const { headers } = await target.request({ method: 'GET', headers: { connection: 'keep-alive' } }, true);
  const seconds = /\btimeout=(\d+)/.exec(headers['keep-alive'] ?? '')?.[1];
  if (seconds === undefined) return undefined;
  if (Number(seconds) > PROXY_IDLE_SECONDS) return ok(`Idle connections stay open for ${seconds} s`);
  return warning(
    `The server closes idle connections after ${seconds} s, earlier than most proxies, so some requests fail with 502`,
    'Set "app.getHttpServer().keepAliveTimeout = 75_000"',
  );
}
