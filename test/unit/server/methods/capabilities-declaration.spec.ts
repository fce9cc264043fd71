import { describe, expect, it } from '@jest/globals';
import { CapabilitiesDeclaration } from '../../../../lib/server/methods/capabilities-declaration.js';
import { InitializeMethod, ServerDiscoverMethod } from '../../../../lib/server/methods/handshake.methods.js';
import { HandshakePeer } from '../../../../lib/server/sessions/handshake-peer.js';
import { SessionRegistry } from '../../../../lib/server/sessions/session-registry.js';
import { TestCatalog } from '../../support/catalog.js';
import { buildContext, buildPeer, STATELESS, type Json } from '../../support/requests.js';
import { buildSettings, SERVER_INFO } from '../../support/settings.js';

const ID = 'com.example/reports';

function setUp() {
  const settings = buildSettings();
  const declaration = new CapabilitiesDeclaration(settings, new TestCatalog());
  const sessions = new SessionRegistry(settings);
  const initialize = new InitializeMethod(settings, declaration);
  const discover = new ServerDiscoverMethod(settings, declaration);
  const shakeHands = (): unknown => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: SERVER_INFO };
    const peer = new HandshakePeer(sessions, undefined);
    const { json } = initialize.handle(buildContext('initialize', { params, peer }));
    return (JSON.parse(json) as Json)['capabilities'];
  };
  const find = (): unknown => {
    const context = buildContext('server/discover', { peer: buildPeer(STATELESS) });
    return JSON.parse(JSON.stringify(discover.handle(context)['capabilities']));
  };
  return { declaration, shakeHands, find };
}

describe('CapabilitiesDeclaration', () => {
  it.each([true, false])(
    'tells of an extension what there was when it was registered, by handshake and without (EXT-01): told before %s',
    (isToldBefore) => {
      const { declaration, shakeHands, find } = setUp();
      const config = { formats: ['csv'] };
      const experimental = { trial: { since: 1 } };
      declaration.declareExtension({ id: ID, specVersion: '1', stability: 'stable', config });
      declaration.declare({ experimental });
      const expected = {
        logging: {},
        experimental: { trial: { since: 1 } },
        extensions: { [ID]: { specVersion: '1', stability: 'stable', config: { formats: ['csv'] } } },
      };
      const told = isToldBefore ? [shakeHands(), find()] : [];
      config.formats.push('pdf');
      experimental.trial.since = 2;
      expect([...told, shakeHands(), find()]).toEqual([...told.map(() => expected), expected, expected]);
    },
  );

  it('tells of a published extension what its specification defines, by handshake and without (EXT-01)', () => {
    const { declaration, shakeHands, find } = setUp();
    const published = { modes: ['push'] };
    declaration.declareExtension({ id: ID, specVersion: '1', stability: 'stable', published });
    published.modes.push('pull');
    expect(shakeHands()).toHaveProperty('extensions', { [ID]: { modes: ['push'] } });
    expect(find()).toHaveProperty('extensions', { [ID]: { modes: ['push'] } });
  });
});
