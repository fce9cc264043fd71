import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ProxyWarning } from '../../../../../lib/server/auth/start-up/proxy-warning.js';
import { RecordedLog } from '../../../../support/records/recorded-log.js';
import { buildSettings } from '../../../support/settings.js';

const LOCAL = 'http://localhost:3000/mcp';

let log: RecordedLog;

beforeEach(() => {
  log = new RecordedLog();
  Logger.overrideLogger(log);
});

afterEach(() => Logger.overrideLogger(false));

const watch = (resourceUri = LOCAL) =>
  new ProxyWarning(
    buildSettings({ auth: { resourceUri, authorizationServers: ['https://login.example.com'], jwt: {} } }),
  );

const warningFor = (host: string, uri = LOCAL) =>
  `"auth.resourceUri" is "${uri}", but a proxy forwards requests for "${host}": set it to the URL that clients use for the endpoint McpAuth`;

describe('ProxyWarning', () => {
  it.each<[string, { readonly [name: string]: string | readonly string[] }]>([
    ['desk.example.com', { 'x-forwarded-host': 'desk.example.com' }],
    ['desk.example.com:8443', { 'x-forwarded-host': ' desk.example.com:8443 , proxy.internal' }],
    ['desk.example.com', { 'x-forwarded-host': ['desk.example.com', 'proxy.internal'] }],
    ['desk.example.com', { forwarded: 'host=desk.example.com' }],
    ['desk.example.com', { forwarded: 'for=192.0.2.1;proto=https;HOST="desk.example.com"' }],
    [
      'desk.example.com',
      { forwarded: 'for=192.0.2.1; host=desk.example.com;proto=https, host=proxy.internal' },
    ],
    ['[2001:db8::1]:443', { forwarded: 'host="[2001:db8::1]:443"' }],
    ['desk.example.com', { forwarded: 'host=desk.example.com', 'x-forwarded-host': 'other.example.com' }],
    ['other.example.com', { forwarded: 'for=192.0.2.1', 'x-forwarded-host': 'other.example.com' }],
  ])('names the host that clients ask for: %s of %j (AUTH-19)', (host, headers) => {
    watch().check(headers);
    expect(log.lines).toEqual([{ level: 'warn', text: warningFor(host) }]);
  });

  it('warns once (AUTH-19)', () => {
    const watching = watch();
    watching.check({});
    watching.check({ 'x-forwarded-host': 'desk.example.com' });
    watching.check({ 'x-forwarded-host': 'other.example.com' });
    expect(log.find('warn')).toEqual([warningFor('desk.example.com')]);
  });

  it.each<[string, { readonly [name: string]: string | readonly string[] | undefined }]>([
    ['no proxy', {}],
    ['an empty name', { 'x-forwarded-host': '' }],
    ['an empty list', { 'x-forwarded-host': [] }],
    ['the own machine', { 'x-forwarded-host': 'localhost:3000' }],
    ['the own machine by its address', { forwarded: 'host="[::1]:3000"' }],
    ['what is no host', { 'x-forwarded-host': 'desk.example.com:port' }],
    ['a host with a path', { 'x-forwarded-host': 'desk.example.com/mcp' }],
    ['a host with a name before it', { 'x-forwarded-host': 'ada@desk.example.com' }],
    ['a parameter whose name ends like it', { forwarded: 'xhost=desk.example.com' }],
  ])('says nothing of %s (AUTH-19)', (_, headers) => {
    watch().check(headers);
    expect(log.lines).toEqual([]);
  });

  it('says nothing where clients are led elsewhere (AUTH-19)', () => {
    const headers = { 'x-forwarded-host': 'desk.example.com' };
    watch('https://desk.example.com/mcp').check(headers);
    new ProxyWarning(buildSettings()).check(headers);
    new ProxyWarning(buildSettings({ auth: { bearer: 'a-fixed-token', resourceUri: LOCAL } })).check(headers);
    expect(log.lines).toEqual([]);
  });
});
