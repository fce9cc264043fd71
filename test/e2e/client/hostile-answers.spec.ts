import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createClientHttp, discoverMcpAuth, type ClientHttp } from 'nestjs-mcp/client';
import { Landscape, PATHS } from '../../support/authorization/landscape.js';
import { json, redirect, status, type Reply } from '../../support/authorization/party.js';
import { until } from '../../support/until.js';

const [FIRST] = PATHS.candidates;
const TEN_MEGABYTES = 10 * 1024 * 1024;
const LONGEST = 512 * 1024;
const HEADERS = { 'content-type': 'application/json' };

/** Long enough for whatever is refused for what it is, on a machine that has much else to do. */
const PATIENT_MS = 30_000;

/** For what is refused because it does not come. */
const HASTY_MS = 300;

let land: Landscape;
let http: ClientHttp;

beforeEach(async () => {
  land = await Landscape.start();
  land.server.at(PATHS.pathForm, json(land.resourceMetadata()));
  land.issuer.at(FIRST, json(land.serverMetadata()));
  http = createClientHttp({ serverUrl: land.serverUrl, timeoutMs: PATIENT_MS });
});
afterEach(() => land.stop());

const discover = (timeoutMs = PATIENT_MS) => discoverMcpAuth(land.serverUrl, { timeoutMs });

/** How many bytes went out before the client had enough. */
let sent = 0;

/** Sends JSON as long as somebody reads it, ten megabytes at most. */
function flood(): Reply {
  return (response) => {
    sent = 0;
    response.writeHead(200, HEADERS).on('error', () => undefined);
    const more = () => {
      while (sent < TEN_MEGABYTES && response.writable) {
        sent += 65_536;
        if (!response.write(' '.repeat(65_536))) return void response.once('drain', more);
      }
      response.end('{}');
    };
    more();
  };
}

/** Sends one byte after the other, never the last one. */
function drip(drop = ' '): Reply {
  return (response: ServerResponse) => {
    response.writeHead(200, HEADERS);
    const timer = setInterval(() => response.write(drop), 20);
    response.on('close', () => clearInterval(timer));
  };
}

/** The two documents of discovery, and who serves them. */
const DOCUMENTS = [
  ['the server', () => land.server, PATHS.pathForm],
  ['the authorization server', () => land.issuer, FIRST],
] as const;

describe.each(DOCUMENTS)('The metadata of %s', (_, getParty, path) => {
  it('is not read to its end where that is ten megabytes away (CLI-03)', async () => {
    getParty().at(path, flood());
    await expect(discover()).rejects.toMatchObject({
      code: 'discovery_failed',
      message: expect.stringContaining(`sent more than ${LONGEST} bytes`),
    });
    expect(sent).toBeLessThan(TEN_MEGABYTES);
  });

  it('is not read where ten megabytes come out of a few (CLI-03)', async () => {
    const bomb = gzipSync(' '.repeat(TEN_MEGABYTES));
    getParty().at(path, (response) => {
      response.writeHead(200, { ...HEADERS, 'content-encoding': 'gzip' }).end(bomb);
    });
    await expect(discover()).rejects.toMatchObject({
      message: expect.stringContaining(`sent more than ${LONGEST} bytes`),
    });
  });

  it('is not waited for where it comes drop by drop (CLI-03)', async () => {
    getParty().at(path, drip());
    await expect(discover(HASTY_MS)).rejects.toMatchObject({
      code: 'discovery_failed',
      message: expect.stringContaining(`did not respond within ${HASTY_MS} ms`),
    });
    await until(() => land.asked.length > 0, 'the request');
  });

  it('is not looked for in circles (CLI-03)', async () => {
    getParty().at(path, redirect(path));
    await expect(discover()).rejects.toMatchObject({
      code: 'discovery_failed',
      url: expect.stringContaining(path),
    });
    expect(getParty().paths).toEqual(Array(4).fill(path));
  });

  it('is not looked for at the end of an endless way (CLI-03)', async () => {
    let step = 0;
    const onwards: Reply = (response, seen) => redirect(`/steps/${++step}`)(response, seen);
    getParty().at(path, onwards).at('/steps/*', onwards);
    await expect(discover()).rejects.toMatchObject({ code: 'discovery_failed' });
    expect(getParty().paths).toEqual([path, '/steps/1', '/steps/2', '/steps/3']);
  });

  it('is not believed where its headers have no end (CLI-03)', async () => {
    getParty().at(path, (response, seen) => {
      response.setHeader('x-filler', 'x'.repeat(64 * 1024));
      json({})(response, seen);
    });
    await expect(discover()).rejects.toMatchObject({ code: 'discovery_failed' });
  });

  it('is not read where it is no UTF-8 (CLI-03)', async () => {
    getParty().at(path, (response) =>
      response.writeHead(200, HEADERS).end(Buffer.from('{"a":"\xff"}', 'latin1')),
    );
    await expect(discover()).rejects.toMatchObject({ code: 'discovery_failed' });
  });

  it.each(['text/html', 'text/plain', 'application/octet-stream', ''])(
    'is read for what it is where it says to be %j (PEER-02)',
    async (type) => {
      const document = path === FIRST ? land.serverMetadata() : land.resourceMetadata();
      getParty().at(path, (response) => {
        response.writeHead(200, { 'content-type': type }).end(JSON.stringify(document));
      });
      await expect(discover()).resolves.toHaveProperty('authorizationServer.issuer', land.issuerUrl);
    },
  );
});

describe('An error of discovery', () => {
  it('shows neither the query of a URL nor what was sent (CLI-03)', async () => {
    const resourceMetadataUrl = `${land.server.origin}/metadata?ticket=secret-ticket`;
    land.server.at('/metadata', json('{"hidden":"secret-document"', 500));
    const found = discoverMcpAuth(land.serverUrl, { challenge: { resourceMetadataUrl } });
    const error = await found.catch((cause: unknown) => cause as Error);
    expect(error).toMatchObject({ code: 'discovery_failed', status: 500 });
    expect((error as Error).message).not.toMatch(/secret/);
  });

  it('keeps to one line, however long what a server sends is (CLI-03)', async () => {
    land.server.at(PATHS.pathForm, json(land.resourceMetadata({ resource: `x\r\n${'y'.repeat(10_000)}` })));
    const error = await discover().catch((cause: unknown) => cause as Error);
    expect((error as Error).message).toMatch(/^.{1,600}$/);
  });
});

/** Requests to token endpoints, which carry secrets. */
describe('A request of OAuth', () => {
  const post = () => http(`${land.issuer.origin}/tokens`, { method: 'POST', body: 'client_secret=secret' });

  it.each([301, 302, 303, 307, 308])(
    'is not sent on by a redirect: %d, to another origin or the same (CLI-10)',
    async (code) => {
      land.issuer.at('/tokens', redirect(`${land.stranger.origin}/tokens`, code));
      await expect(post()).resolves.toHaveProperty('status', code);
      land.issuer.at('/tokens', redirect('/other', code));
      await expect(post()).resolves.toHaveProperty('status', code);
      expect(land.asked).toEqual(['issuer /tokens', 'issuer /tokens']);
    },
  );

  it('is given whole answers alone (CLI-10)', async () => {
    land.issuer.at('/tokens', flood());
    await expect(post()).rejects.toMatchObject({
      code: 'no_answer',
      problem: expect.stringContaining(`sent more than ${LONGEST} bytes`),
    });
    land.issuer.at('/tokens', (response) => response.destroy());
    await expect(post()).rejects.toMatchObject({
      code: 'no_answer',
      problem: expect.stringContaining('cannot be reached: UND_ERR_SOCKET'),
    });
  });

  it('is not waited for where its answer comes drop by drop (CLI-10)', async () => {
    http = createClientHttp({ serverUrl: land.serverUrl, timeoutMs: HASTY_MS });
    land.issuer.at('/tokens', drip());
    await expect(post()).rejects.toMatchObject({
      code: 'no_answer',
      problem: `did not respond within ${HASTY_MS} ms`,
    });
  });

  it('is given the answer as it is, without a body too (CLI-10)', async () => {
    land.issuer.at('/tokens', status(400));
    await expect(post().then((response) => response.text())).resolves.toBe('nothing to see here');
    land.issuer.at('/tokens', (response) => response.writeHead(204).end());
    await expect(post()).resolves.toHaveProperty('status', 204);
  });

  it.each(['http://10.0.0.5/tokens', 'http://login.example.com/tokens', 'file:///tokens', 'tokens'])(
    'is not sent to %s (CLI-10)',
    async (url) => {
      await expect(http(url)).rejects.toMatchObject({ code: 'insecure_endpoint' });
    },
  );

  it('ends as its caller says (CLI-10)', async () => {
    const reason = new Error('enough');
    land.issuer.at('/tokens', drip());
    const stop = new AbortController();
    const answer = http(`${land.issuer.origin}/tokens`, { signal: stop.signal });
    await until(() => land.asked.length > 0, 'the request');
    stop.abort(reason);
    await expect(answer).rejects.toBe(reason);
  });
});
