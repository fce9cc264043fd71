import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AuthOptions } from 'nestjs-mcp';
import { ADAPTERS, type AdapterName, type RunningApp } from '../../support/applications/boot.js';
import { authorize, bootDesk, RESOURCE, textOf } from '../../support/applications/protected-desk.js';
import { WhoamiTool } from '../../support/applications/whoami-tool.js';
import { TestIssuer } from '../../support/authorization/issuer.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { RecordedLog } from '../../support/records/recorded-log.js';

let issuer: TestIssuer;
let desk: RunningApp | undefined;
let log: RecordedLog;
const { fetch: plainFetch } = globalThis;

beforeEach(async () => {
  issuer = await TestIssuer.start();
  log = new RecordedLog();
});
afterEach(async () => {
  globalThis.fetch = plainFetch;
  await desk?.close();
  desk = undefined;
  await issuer.stop();
});

/** Has a name of a network of containers lead to the issuer. */
function nameIssuer(name: string): string {
  const url = `http://${name}:${new URL(issuer.origin).port}`;
  globalThis.fetch = (input, init) => {
    const asked = input instanceof Request ? input.url : String(input);
    return plainFetch(asked.replace(url, issuer.origin), init);
  };
  issuer.metadata['issuer'] = url;
  issuer.metadata['jwks_uri'] = `${url}/keys`;
  return url;
}

async function boot(adapter: AdapterName, auth: Partial<AuthOptions>): Promise<void> {
  desk = await bootDesk(adapter, {
    auth: { resourceUri: RESOURCE, jwt: {}, ...auth },
    providers: [WhoamiTool],
    nest: { logger: log },
  });
}

/** Gives whom the desk takes the bearer of a token for; else the status of its answer. */
async function ask(token: string): Promise<string | number> {
  const client = perRequest(desk?.url ?? '', { headers: authorize(token) });
  const { result, status } = await client.start('tools/call', { name: 'whoami' }).answer();
  return result === undefined ? status : textOf(result);
}

describe.each(ADAPTERS)('An authorization server in a network of containers on %s', (adapter) => {
  it('is refused at start-up, by an error that names the way out (PEER-04)', async () => {
    const starting = boot(adapter, { authorizationServers: ['http://keycloak:8080/realms/desk'] });
    await expect(starting).rejects.toThrow(
      /"auth\.authorizationServers\[0\]" must be an "https:" URL; .*hosts in "auth\.insecureHosts"/,
    );
  });

  it('is trusted where its host is named, which is warned of (PEER-04)', async () => {
    const url = nameIssuer('keycloak');
    await boot(adapter, { authorizationServers: [url], insecureHosts: ['keycloak'] });
    expect(await ask(await issuer.token({ iss: url }))).toBe('ada');
    expect(log.find('warn')).toEqual([
      expect.stringContaining(
        '"auth.insecureHosts" contains "keycloak": authorization servers there are accessed over "http"',
      ),
    ]);
  });

  it('has its keys where it says only if their host is named too (PEER-04)', async () => {
    const url = nameIssuer('keycloak');
    issuer.metadata['jwks_uri'] = 'http://keys:8080/keys';
    await boot(adapter, { authorizationServers: [url], insecureHosts: ['keycloak'] });
    expect(await ask(await issuer.token({ iss: url }))).toBe(503);
    expect(log.text).toContain('expected an "https:" URL or a host listed in "auth.insecureHosts"');
  });

  it('is on this machine with a name below "localhost" (PEER-04)', async () => {
    const url = nameIssuer('keycloak.localhost');
    await boot(adapter, { authorizationServers: [url] });
    expect(await ask(await issuer.token({ iss: url }))).toBe('ada');
    expect(log.find('warn')).toEqual([]);
  });
});

describe.each(ADAPTERS)('An issuer that differs by a slash on %s', (adapter) => {
  beforeEach(() => {
    issuer.metadata['issuer'] = `${issuer.url}/`;
  });

  it('is refused, and the log names the way out (PEER-04)', async () => {
    await boot(adapter, { authorizationServers: [issuer.url] });
    expect(await ask(await issuer.token({ iss: `${issuer.url}/` }))).toBe(401);
    expect(await ask(await issuer.token())).toBe(503);
    expect(log.text.match(/set "auth\.ignoreIssuerSlash"/g)?.length).toBeGreaterThan(1);
  });

  it('is the same where that is asked for, which is warned of (PEER-04)', async () => {
    await boot(adapter, { authorizationServers: [issuer.url], ignoreIssuerSlash: true });
    expect(await ask(await issuer.token({ iss: `${issuer.url}/` }))).toBe('ada');
    expect(await ask(await issuer.token())).toBe('ada');
    expect(await ask(await issuer.token({ iss: `${issuer.url}//` }))).toBe(401);
    expect(await ask(await issuer.token({ iss: `${issuer.url}/other` }))).toBe(401);
    expect(log.find('warn')).toEqual([expect.stringContaining('"auth.ignoreIssuerSlash" is true')]);
  });
});

describe('Hosts, claims and clients that are no such', () => {
  it.each<[Partial<AuthOptions>, RegExp]>([
    [{ insecureHosts: ['http://keycloak'] }, /"auth\.insecureHosts\[0\]" must be a host such as "keycloak"/],
    [{ insecureHosts: ['*'] }, /"auth\.insecureHosts\[0\]" must be a host/],
    [
      { jwt: { toleratedClaims: ['events' as never] } },
      /"auth\.jwt\.toleratedClaims\[0\]" must be "nonce" or/,
    ],
    [
      { jwt: { clientsWithoutAudience: ['*', 'a'] } },
      /"auth\.jwt\.clientsWithoutAudience" must be either \["\*"\]/,
    ],
    [
      { exchange: { clientId: 'a', clientSecret: 'b', profile: 'obo' as never } },
      /"auth\.exchange\.profile" must be "token-exchange" or "on-behalf-of"/,
    ],
  ])('stop the start: %j (PEER-04)', async (auth, message) => {
    const starting = boot('express', { authorizationServers: [issuer.url], ...auth });
    await expect(starting).rejects.toThrow(message);
  });
});
