import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ADAPTERS, type AdapterName, type RunningApp } from '../../support/applications/boot.js';
import { authorize, bootDesk, RESOURCE } from '../../support/applications/protected-desk.js';
import { TestIssuer } from '../../support/authorization/issuer.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { RecordedLog } from '../../support/records/recorded-log.js';
import { until } from '../../support/until.js';

describe.each(ADAPTERS)('The documents of an issuer, on %s', (adapter) => {
  const log = new RecordedLog();
  let issuer: TestIssuer;
  let attacker: TestIssuer;
  let desk: RunningApp;

  beforeEach(async () => {
    log.clear();
    [issuer, attacker] = [await TestIssuer.start(), await TestIssuer.start()];
    desk = await start(adapter, issuer, log);
  });

  afterEach(async () => {
    await desk.close();
    for (const one of [issuer, attacker]) await one.stop();
  });

  /** Brings what the attacker signed in the issuer's name, and then what the issuer signed, once it is well again. */
  async function attack(): Promise<[forged: number, good: number]> {
    const [key] = attacker.keys;
    const forged = await issuer.token({}, { ...(key && { key }) });
    const bring = async (token: string) =>
      (await perRequest(desk.url, { headers: authorize(token) }).request('tools/list')).status;
    const first = await bring(forged);
    issuer.recover();
    issuer.metadata['issuer'] = issuer.url;
    issuer.metadata['jwks_uri'] = issuer.jwksUrl;
    const good = await issuer.token();
    return [first, await until(async () => (await bring(good)) === 200 && 200, 'the keys')];
  }

  it.each([301, 302, 307, 308])(
    'are not looked for elsewhere: a redirect of its keys by %i leads nowhere (AUTH-04, SAFE-01)',
    async (code) => {
      issuer.keyEndpoint.answer({ status: code, headers: { location: attacker.jwksUrl } });
      expect(await attack()).toEqual([503, 200]);
      expect(attacker.requests).toEqual([]);
      expect(log.text).toContain('redirects are not followed');
    },
  );

  it('are not looked for elsewhere: a redirect of its metadata leads nowhere (AUTH-04, SAFE-01)', async () => {
    const location = `${attacker.origin}/.well-known/oauth-authorization-server`;
    attacker.metadata['issuer'] = issuer.url;
    issuer.metadataEndpoint.answer({ status: 302, headers: { location } });
    expect(await attack()).toEqual([503, 200]);
    expect(attacker.requests).toEqual([]);
  });

  it('do not count where they name another issuer (AUTH-06, SAFE-01)', async () => {
    issuer.metadata['issuer'] = attacker.url;
    issuer.metadata['jwks_uri'] = attacker.jwksUrl;
    expect(await attack()).toEqual([503, 200]);
    expect(attacker.requests).toEqual([]);
  });

  it('name no place for keys that everybody on the way could put others in (AUTH-04, SAFE-01)', async () => {
    issuer.metadata['jwks_uri'] = 'http://keys.example.com/jwks';
    expect(await attack()).toEqual([503, 200]);
    expect(log.text).toContain('expected an "https:" URL');
  });

  it('are found where OpenID has them, if nothing is at the first place (AUTH-04)', async () => {
    await issuer.stop();
    issuer = await TestIssuer.start({ metadataPath: '/.well-known/openid-configuration' });
    const other = await start(adapter, issuer, log);
    const headers = authorize(await issuer.token());
    expect((await perRequest(other.url, { headers }).request('tools/list')).status).toBe(200);
    expect(issuer.requests).toEqual([
      '/.well-known/oauth-authorization-server',
      '/.well-known/openid-configuration',
      '/keys',
    ]);
    await other.close();
  });
});

function start(adapter: AdapterName, issuer: TestIssuer, logger: RecordedLog): Promise<RunningApp> {
  return bootDesk(adapter, {
    auth: {
      resourceUri: RESOURCE,
      authorizationServers: [issuer.url],
      jwt: { jwks: { cooldownMs: 1 } },
    },
    nest: { logger },
  });
}
