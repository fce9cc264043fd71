import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { discoverMcpAuth } from 'nestjs-mcp/client';
import { examine } from '../../../cli/doctor/doctor.command.js';
import type { Finding } from '../../../lib/core/doctor/finding.js';
import { ADAPTERS, type AdapterName, type RunningApp } from '../../support/applications/boot.js';
import { authorize, bootDesk, RESOURCE } from '../../support/applications/protected-desk.js';
import { TestIssuer } from '../../support/authorization/issuer.js';
import { Party, json, status } from '../../support/authorization/party.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { RecordedLog } from '../../support/records/recorded-log.js';

const TENANT = '/tenant';
const LAST_FORM = `${TENANT}/.well-known/openid-configuration`;
const ALL_FORMS = [
  `/.well-known/oauth-authorization-server${TENANT}`,
  `/.well-known/openid-configuration${TENANT}`,
  LAST_FORM,
];

/** What providers answer where they have no document. */
const ELSEWHERE: readonly (readonly [who: string, answer: (response: ServerResponse) => void])[] = [
  ['400 with JSON, as Cognito', send(400, 'application/json', '{"message":"Invalid path"}')],
  ['401 with a challenge', send(401, 'application/json', '{"error":"unauthorized"}')],
  [
    '403 with XML, as CloudFront before S3',
    send(403, 'application/xml', '<Error><Code>AccessDenied</Code></Error>'),
  ],
  ['404', send(404, 'text/plain', 'Not Found')],
  ['405', send(405, 'text/plain', '')],
  ['410', send(410, 'text/plain', '')],
  ['200 with the page of an application', send(200, 'text/html', '<!doctype html><div id="root"></div>')],
  ['200 with a page that is said to be JSON', send(200, 'application/json', '<!doctype html>')],
  ['200 and nothing', send(200, 'application/json', '')],
  ['204', send(204, undefined, '')],
  ['200 with a list', send(200, 'application/json', '[]')],
  ['500, as where no route is', send(500, 'text/html', '<h1>Internal Server Error</h1>')],
  ['502, as a gateway', send(502, 'text/html', '<h1>Bad Gateway</h1>')],
];

function send(code: number, type: string | undefined, body: string) {
  return (response: ServerResponse): void => {
    response.writeHead(code, type === undefined ? {} : { 'content-type': type }).end(body);
  };
}

let issuer: TestIssuer;
let desk: RunningApp | undefined;
let resource: Party | undefined;

afterEach(async () => {
  await desk?.close();
  await resource?.stop();
  await issuer.stop();
  [desk, resource] = [undefined, undefined];
});

async function startIssuer(answerElsewhere: TestIssuer['answerElsewhere'], metadataPath = LAST_FORM) {
  issuer = await TestIssuer.start({ path: TENANT, metadataPath });
  issuer.answerElsewhere = answerElsewhere;
  Object.assign(issuer.metadata, {
    authorization_endpoint: `${issuer.origin}/authorize`,
    token_endpoint: `${issuer.origin}/token`,
    registration_endpoint: `${issuer.origin}/register`,
    code_challenge_methods_supported: ['S256'],
  });
}

/** A server that names the issuer, for the client and the doctor. */
async function nameIssuer(): Promise<string> {
  resource = await Party.start();
  const url = `${resource.origin}/mcp`;
  const metadata = json({ resource: url, authorization_servers: [issuer.url] });
  for (const place of [
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-protected-resource',
  ]) {
    resource.at(place, metadata);
  }
  const challenge = `Bearer resource_metadata="${resource.origin}/.well-known/oauth-protected-resource/mcp"`;
  resource.at('/mcp', status(401, { 'www-authenticate': challenge }));
  return url;
}

async function serve(adapter: AdapterName, logger = new RecordedLog()): Promise<number> {
  desk = await bootDesk(adapter, {
    auth: { resourceUri: RESOURCE, authorizationServers: [issuer.url], jwt: { jwks: { cooldownMs: 1 } } },
    nest: { logger },
  });
  const headers = authorize(await issuer.token());
  return (await perRequest(desk.url, { headers }).request('tools/list')).status;
}

async function examineAll(url: string): Promise<readonly Finding[]> {
  const options = {
    token: undefined,
    json: false,
    timeoutMs: 10_000,
    headers: {},
    origin: 'http://localhost:1',
  };
  return (await examine({ url: new URL(url), ...options })).findings;
}

async function examineIt(url: string): Promise<Finding | undefined> {
  return (await examineAll(url)).find(({ id }) => id === 'server-metadata');
}

const askedForms = () => issuer.requests.filter((path) => path.includes('well-known'));

describe.each(ELSEWHERE)('An issuer that answers %s where it has no document', (_, answer) => {
  it.each(ADAPTERS)(
    'is found by the server on %s, in the last of its forms (PEER-01) (AUTH-04)',
    async (adapter) => {
      await startIssuer(answer);
      expect(await serve(adapter)).toBe(200);
      expect(askedForms()).toEqual(ALL_FORMS);
    },
  );

  it('is found by the client (PEER-01) (CLI-04)', async () => {
    await startIssuer(answer);
    const { authorizationServer } = await discoverMcpAuth(await nameIssuer());
    expect(authorizationServer.token_endpoint).toBe(`${issuer.origin}/token`);
    expect(askedForms()).toEqual(ALL_FORMS);
  });

  it('is found by the doctor (PEER-01) (KIT-03)', async () => {
    await startIssuer(answer);
    expect(await examineIt(await nameIssuer())).toMatchObject({
      status: 'ok',
      found: `Found at "${issuer.origin}${LAST_FORM}"`,
    });
  });
});

/** What keeps it open whether an issuer has metadata, and how many forms are asked for then. */
const DOUBTS: readonly (readonly [string, (response: ServerResponse) => void, string, number])[] = [
  ['503', send(503, 'text/plain', 'down'), 'responded with status 503', 3],
  ['429', send(429, 'text/plain', 'slow down'), 'responded with status 429', 1],
  ['408', send(408, 'text/plain', ''), 'responded with status 408', 1],
  ['425', send(425, 'text/plain', ''), 'responded with status 425', 1],
  ['no answer', (response) => response.destroy(), '', 1],
];

describe.each(DOUBTS)('An issuer that has nothing but %s', (_, answer, fault, forms) => {
  it('is told so by the server, which serves once it is well again (PEER-01) (AUTH-12)', async () => {
    await startIssuer(answer);
    issuer.metadataEndpoint.breakDown(503);
    if (forms === 1) issuer.answerElsewhere = answer;
    const log = new RecordedLog();
    expect(await serve('express', log)).toBe(503);
    expect(log.text).toContain(fault);
    expect(askedForms().slice(0, forms)).toEqual(ALL_FORMS.slice(0, forms));
  });

  it('is told so by the client (PEER-01) (CLI-03)', async () => {
    await startIssuer(answer, '/nowhere');
    const failed = discoverMcpAuth(await nameIssuer());
    await expect(failed).rejects.toMatchObject({
      code: 'discovery_failed',
      message: expect.stringMatching(new RegExp(`${fault}.*Try again later`)),
    });
    expect(askedForms()).toEqual(ALL_FORMS.slice(0, forms));
  });

  it('is told so by the doctor (PEER-01) (KIT-03)', async () => {
    await startIssuer(answer, '/nowhere');
    expect(await examineIt(await nameIssuer())).toMatchObject({
      status: 'error',
      found: expect.stringContaining(fault),
    });
    expect(askedForms()).toEqual(ALL_FORMS.slice(0, forms));
  });
});

describe('An issuer that fails at one form and has none of the others', () => {
  it('may have metadata, and is not said to have none (PEER-01)', async () => {
    await startIssuer(send(404, undefined, ''), ALL_FORMS[0]);
    issuer.metadataEndpoint.breakDown(500);
    await expect(discoverMcpAuth(await nameIssuer())).rejects.toMatchObject({
      url: issuer.origin + ALL_FORMS[0],
      status: 500,
    });
    expect(askedForms()).toEqual(ALL_FORMS);
  });

  it('redirects within its origin, and is found there by all (PEER-01)', async () => {
    await startIssuer((response) => {
      response.writeHead(302, { location: LAST_FORM }).end();
    });
    const url = await nameIssuer();
    expect((await discoverMcpAuth(url)).authorizationServer.issuer).toBe(issuer.url);
    expect(await examineIt(url)).toMatchObject({ status: 'ok' });
    expect(await serve('express')).toBe(200);
  });
});

describe('The metadata of a resource', () => {
  it.each([400, 403, 500])(
    'is looked for nowhere else where a place answers %d, and the doctor says so (PEER-01) (CLI-03)',
    async (code) => {
      await startIssuer(send(404, undefined, ''));
      const url = await nameIssuer();
      resource?.at('/mcp', status(401, { 'www-authenticate': 'Bearer' }));
      resource?.at('/.well-known/oauth-protected-resource/mcp', status(code));
      await expect(discoverMcpAuth(url)).rejects.toMatchObject({ code: 'discovery_failed', status: code });
      const findings = await examineAll(url);
      expect(findings.find(({ id }) => id === 'metadata')).toMatchObject({
        status: 'error',
        found: expect.stringContaining(`responded with status ${code}`),
      });
      expect(findings.map(({ id }) => id)).not.toContain('server-metadata');
    },
  );
});
