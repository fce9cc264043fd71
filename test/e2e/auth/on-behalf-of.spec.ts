import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { AuthError, ExchangeRefusedError, Tool, type McpContext } from 'nestjs-mcp';
import { ADAPTERS } from '../../support/applications/boot.js';
import { authorize, bootDesk, RESOURCE, textOf } from '../../support/applications/protected-desk.js';
import { json } from '../../support/authorization/party.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { CLIENT, ExchangeScene } from './invoices.app.js';

/** What Entra ID answers where a policy of the API wants more of the user (Conditional Access). */
const INTERACTION_REQUIRED = {
  error: 'interaction_required',
  error_description:
    'AADSTS50079: Due to a configuration change made by your administrator, you must enroll in multifactor authentication.',
  error_codes: [50079],
  suberror: 'basic_action',
  claims: '{"access_token":{"polids":{"essential":true,"values":["9ab03e19-ed42-4168-b6b7-7001fb3e933a"]}}}',
};

const ON_BEHALF_OF = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

@Injectable()
class GraphTools {
  @Tool()
  async challenge(_input: unknown, { auth }: McpContext): Promise<string> {
    try {
      return await auth.exchange({ audience: 'https://graph.microsoft.com' });
    } catch (error) {
      if (!(error instanceof ExchangeRefusedError) || error.claims === undefined) throw error;
      const claims = Buffer.from(error.claims).toString('base64');
      throw new AuthError(401, 'Log in again', `Bearer error="insufficient_claims", claims="${claims}"`);
    }
  }
}

let scene: ExchangeScene;

beforeEach(async () => {
  scene = await ExchangeScene.start();
});
afterEach(() => scene.stop());

describe.each(ADAPTERS)('A tool that calls an API on behalf of its caller on %s (Entra ID)', (adapter) => {
  const boot = () =>
    scene.boot(adapter, { tokenEndpoint: scene.server.tokenEndpoint, ...CLIENT, profile: 'on-behalf-of' });

  it('gets a token for what was consented to, once for all calls (PEER-05)', async () => {
    await boot();
    const token = await scene.issuer.token();
    scene.server.reply = () =>
      json(scene.server.grant({ ext_expires_in: 3599, issued_token_type: undefined }));
    const wish = { audience: 'https://graph.microsoft.com' };
    await expect(scene.call(token, 'exchange', wish)).resolves.toBe('token-1');
    await expect(scene.call(token, 'exchange', wish)).resolves.toBe('token-1');
    expect(scene.server.forms).toEqual([
      {
        grant_type: ON_BEHALF_OF,
        assertion: token,
        requested_token_use: 'on_behalf_of',
        scope: 'https://graph.microsoft.com/.default',
      },
    ]);
  });

  it('learns that the user must log in again, and what for (PEER-05)', async () => {
    await boot();
    const token = await scene.issuer.token();
    scene.server.reply = () => json(INTERACTION_REQUIRED, 400);
    await expect(scene.call(token, 'exchange', { audience: 'api://invoices' })).resolves.toBe(
      'The call cannot be made on your behalf until you have logged in again (interaction_required)',
    );
    expect(scene.log.find('warn', 'A token could not be exchanged: ')).toEqual([
      expect.stringMatching(
        /status 400 and "interaction_required" \("AADSTS50079.*, and requires the claims "\{.*: the user must log in again with stronger authentication/,
      ),
    ]);
    expect(scene.log.text).not.toContain(token.slice(0, 40));
  });

  it('can pass the demand on to the client (PEER-05)', async () => {
    scene.server.reply = () => json(INTERACTION_REQUIRED, 400);
    const { tokenEndpoint } = scene.server;
    const desk = await bootDesk(adapter, {
      auth: {
        resourceUri: RESOURCE,
        authorizationServers: [scene.issuer.url],
        jwt: {},
        exchange: { tokenEndpoint, ...CLIENT, profile: 'on-behalf-of' },
      },
      providers: [GraphTools],
    });
    const client = perRequest(desk.url, { headers: authorize(await scene.issuer.token()) });
    const answer = await client.start('tools/call', { name: 'challenge' }).answer();
    await desk.close();
    expect(answer.status).toBe(401);
    const [, claims = ''] = /claims="([^"]+)"/.exec(String(answer.headers['www-authenticate'])) ?? [];
    expect(Buffer.from(claims, 'base64').toString()).toBe(INTERACTION_REQUIRED.claims);
    expect(textOf(answer.result ?? {})).toContain('Log in again');
  });

  it('asks for nothing where no API is named, and says so in the log (PEER-05)', async () => {
    await boot();
    const text = await scene.call(await scene.issuer.token(), 'exchange', {});
    expect(text).toMatch(/^Internal error/);
    expect(scene.log.text).toContain('name it in "audience"');
    expect(scene.server.asked).toEqual([]);
  });
});
