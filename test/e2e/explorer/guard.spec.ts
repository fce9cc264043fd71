import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Global,
  HttpException,
  Injectable,
  Module,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Observable, of } from 'rxjs';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize } from '../../support/clients/json-rpc.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { within } from '../../support/until.js';
import { BUILD_MS, buildPage, NAVIGATION } from '../../support/explorer/build-page.js';

beforeAll(buildPage, BUILD_MS);

@Injectable()
class Passwords {
  isRight(given: string | undefined): boolean {
    return given === `Basic ${Buffer.from('ada:secret').toString('base64')}`;
  }
}

@Global()
@Module({ providers: [Passwords], exports: [Passwords] })
class GlobalPasswords {}

/** Lets in who brings the password. */
@Injectable()
class PasswordGuard implements CanActivate {
  constructor(private readonly passwords: Passwords) {}

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const { headers } = http.getRequest<{ headers: Record<string, string | undefined> }>();
    if (this.passwords.isRight(headers['authorization'])) return true;
    http
      .getResponse<{ setHeader(name: string, value: string): void }>()
      .setHeader('WWW-Authenticate', 'Basic realm="explorer"');
    throw new UnauthorizedException('The explorer asks for a password');
  }
}

class RefusingGuard implements CanActivate {
  canActivate() {
    return of(false);
  }
}

class BrokenGuard implements CanActivate {
  canActivate(): Promise<boolean> {
    return Promise.reject(new Error('the database is "secret-host"'));
  }
}

/** Passes on the status of what it has asked, which did not answer. */
class CutOffGuard implements CanActivate {
  canActivate(): never {
    throw new HttpException('The directory is down', undefined as never);
  }
}

class RedirectingGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const response = context.switchToHttp().getResponse<ServerResponse>();
    response.writeHead(302, { location: '/login' }).end();
    return true;
  }
}

/** Waits for what never comes. */
class UndecidedGuard implements CanActivate {
  canActivate(): Promise<boolean> {
    return new Promise(() => undefined);
  }
}

class SilentGuard implements CanActivate {
  static isHeard = false;

  canActivate(): Observable<boolean> {
    return new Observable(() => {
      SilentGuard.isHeard = true;
      return () => (SilentGuard.isHeard = false);
    });
  }
}

class TruthyGuard implements CanActivate {
  canActivate(): boolean {
    return 'yes' as unknown as boolean;
  }
}

const PASSWORD = { authorization: `Basic ${Buffer.from('ada:secret').toString('base64')}` };

describe.each(ADAPTERS)('The guard of the explorer on %s', (adapter) => {
  const { NODE_ENV } = process.env;
  let desk: RunningApp;

  afterEach(async () => {
    process.env.NODE_ENV = NODE_ENV;
    await desk.close();
  });

  const boot = async (guard: new (...dependencies: never[]) => CanActivate) => {
    process.env.NODE_ENV = 'production';
    const options = { explorer: { guard }, limits: { transferTimeoutMs: 2000 } };
    desk = await bootServer({ adapter, options, imports: [GlobalPasswords] });
  };

  it('lets in whom it admits, in production and behind a proxy (WAY-02)', async () => {
    await boot(PasswordGuard);
    const headers = { ...NAVIGATION, ...PASSWORD, 'x-forwarded-for': '203.0.113.7' };
    const answer = await sendHttp(desk.url, { headers });
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  });

  it('answers all others with what it throws, and with its headers (WAY-02)', async () => {
    await boot(PasswordGuard);
    const answer = await sendHttp(desk.url, { headers: NAVIGATION });
    const { status, headers, text } = answer;
    const challenge = headers['www-authenticate'];
    expect({ status, challenge }).toEqual({ status: 401, challenge: 'Basic realm="explorer"' });
    expect({ text }).toEqual({ text: 'The explorer asks for a password' });
  });

  it.each([
    ['refuses', RefusingGuard, 403, 'Forbidden'],
    ['is broken, which tells its caller nothing', BrokenGuard, 500, 'Internal error'],
    ['gives something else than true', TruthyGuard, 403, 'Forbidden'],
    ['throws what has no status', CutOffGuard, 500, 'The directory is down'],
    ['never decides', UndecidedGuard, 503, 'Try again later'],
    ['never says anything', SilentGuard, 503, 'Try again later'],
  ])('lets nobody in if it %s (WAY-02)', async (_, guard, status, text) => {
    await boot(guard);
    const answer = await sendHttp(desk.url, { headers: NAVIGATION });
    // The page is long: it is not compared where a status says enough.
    expect({ status: answer.status }).toEqual({ status });
    expect({ text: answer.text }).toEqual({ text });
    expect(SilentGuard.isHeard).toBe(false);
  });

  it.each([
    ['whom it lets in', { ...NAVIGATION, ...PASSWORD }, 200],
    ['whom it does not', NAVIGATION, 401],
  ])('keeps no connection for the body that %s never sends (WAY-02, FAIR-02)', async (_, headers, status) => {
    await boot(PasswordGuard);
    const socket = connect(desk.port, '127.0.0.1').setEncoding('utf8');
    let text = '';
    socket.on('data', (part: string) => (text += part));
    const lines = Object.entries({ host: `127.0.0.1:${desk.port}`, ...headers, 'content-length': '1000' });
    socket.write(
      `GET /mcp HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
    );
    await within(once(socket, 'close'), 'the end of the connection');
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  it('may answer by itself, as with the way to a login (WAY-02)', async () => {
    await boot(RedirectingGuard);
    const answer = await sendHttp(desk.url, { headers: NAVIGATION });
    const { status, headers, text } = answer;
    expect({ status, location: headers.location }).toEqual({ status: 302, location: '/login' });
    expect({ text }).toEqual({ text: '' });
  });

  it('is asked for the page alone (WAY-02)', async () => {
    await boot(RefusingGuard);
    expect((await sendHttp(desk.url, { headers: NAVIGATION })).status).toBe(403);
    expect((await initialize(desk.url)).id).toEqual(expect.any(String));
  });

  it('does not open hosts that requests may not carry (WAY-02, HTTP-06)', async () => {
    await boot(PasswordGuard);
    const headers = { ...NAVIGATION, ...PASSWORD, host: 'rebound.example.com' };
    expect((await sendHttp(desk.url, { headers })).status).toBe(403);
  });
});

describe('The guard of the explorer', () => {
  it('must be a guard (WAY-02)', async () => {
    const guard = class {} as never;
    await expect(bootServer({ options: { explorer: { guard } } })).rejects.toThrow(
      'The MCP option "explorer.guard" must be a class with a method "canActivate"',
    );
  });
});
