import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ADAPTERS } from '../../support/applications/boot.js';
import { AuthorizationClient } from '../../support/authorization/authorization-client.js';
import { AuthorizationServerScene } from '../../support/authorization/authorization-server-scene.js';

const BOTH = 'desk:read desk:write';
const REDIRECT = 'https://client.example/callback';

describe.each(ADAPTERS)('A scope that the user could not grant, on %s', (adapter) => {
  let allowed: string[];
  let scene: AuthorizationServerScene;
  let client: AuthorizationClient;

  beforeEach(async () => {
    allowed = ['desk:read'];
    scene = await AuthorizationServerScene.start({ adapter, server: { grantScopes: () => allowed } });
    client = await AuthorizationClient.register(scene, { redirect_uris: [REDIRECT] });
  });
  afterEach(() => scene.stop());

  const logIn = async () => {
    const code = (await client.authorize({ scope: BOTH, redirect_uri: REDIRECT })).get('code');
    return (await client.redeem(code, { redirect_uri: REDIRECT })).body;
  };

  it('is granted by a later consent, once the user may grant it (AS-02)', async () => {
    expect((await logIn())['scope']).not.toContain('desk:write');
    allowed = ['desk:read', 'desk:write'];
    const page = await client.ask({ scope: BOTH, redirect_uri: REDIRECT });
    expect(page.page).toContain('wants to use');
    const tokens = await logIn();
    expect(tokens['scope']).toContain('desk:write');
  });

  it('is rejected again for as long as the user may not grant it (AS-02)', async () => {
    await logIn();
    expect((await logIn())['scope']).not.toContain('desk:write');
  });

  it('is lost by a later consent, once the user may no longer grant it (AS-02)', async () => {
    allowed = ['desk:read', 'desk:write'];
    expect((await logIn())['scope']).toContain('desk:write');
    allowed = ['desk:read'];
    const asked = await client.ask({ scope: BOTH, redirect_uri: REDIRECT, prompt: 'consent' });
    const back = await client.browser.send(asked, { decision: 'allow' }, REDIRECT);
    const { body } = await client.redeem(back.url.searchParams.get('code'), { redirect_uri: REDIRECT });
    expect(body['scope']).not.toContain('desk:write');
  });
});
