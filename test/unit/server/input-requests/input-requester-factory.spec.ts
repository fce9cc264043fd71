import { describe, expect, it } from '@jest/globals';
import { RoundTripInputRequester } from '../../../../lib/server/input-requests/round-trip-input-requester.js';
import { SessionInputRequester } from '../../../../lib/server/input-requests/session-input-requester.js';
import { ToolError } from '../../../../lib/server/context/tool-errors.js';
import { StatelessPeer } from '../../../../lib/server/sessions/stateless-peer.js';
import { buildPeer, NEWEST_HANDSHAKE, openSession } from '../../support/requests.js';
import { Asking } from './build-context.js';

describe('InputRequesterFactory', () => {
  const asking = new Asking();
  const create = (method: string, peer = buildPeer()) =>
    asking.factory.create(asking.begin({ method, peer, params: {} }).context);

  it.each(['tools/call', 'prompts/get', 'resources/read'])('lets %s ask in rounds (REV-02)', (method) => {
    expect(create(method)).toBeInstanceOf(RoundTripInputRequester);
  });

  it.each(['tools/list', 'completion/complete', 'server/discover', 'constructor'])(
    'lets %s ask nothing on the stateless wire (REV-02)',
    (method) => {
      expect(() => create(method)).toThrow(ToolError);
      expect(() => create(method)).toThrow(`"${method}" cannot send input requests to the client`);
    },
  );

  it('lets every call of a session ask (REV-02)', () => {
    expect(create('tools/call', openSession())).toBeInstanceOf(SessionInputRequester);
    expect(create('completion/complete', openSession())).toBeInstanceOf(SessionInputRequester);
  });

  it('lets nobody ask in a handshake (SESS-01)', () => {
    expect(() => create('initialize', buildPeer(NEWEST_HANDSHAKE))).toThrow('There is no session');
  });

  it('says why nobody can be asked where no sessions are kept (STLS-01)', () => {
    const peer = new StatelessPeer('2025-11-25', undefined);
    expect(() => create('tools/call', peer)).toThrow('This server has no sessions');
  });
});
