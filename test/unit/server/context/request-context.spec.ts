import { describe, expect, it } from '@jest/globals';
import type { ClientCapabilities } from '../../../../lib/core/protocol/capabilities.js';
import { MetaKey } from '../../../../lib/core/protocol/meta-keys.js';
import { buildContext, buildPeer, openSession, RecordingChannel } from '../../support/requests.js';

const declare = (capabilities: unknown) => ({ _meta: { [MetaKey.clientCapabilities]: capabilities } });

describe('RequestContext', () => {
  it('shows the request, its peer and its session (MOD-04)', () => {
    const session = openSession();
    const context = buildContext('tools/call', { id: 'a', params: { name: 'echo' }, peer: session });
    expect(context).toMatchObject({ id: 'a', method: 'tools/call', params: { name: 'echo' } });
    expect([context.session, context.revision.version]).toEqual([session, '2025-11-25']);
    expect(buildContext('ping').session).toBeUndefined();
  });

  it.each([undefined, {}, { _meta: undefined }])(
    'has empty metadata for the params %j (PROG-01)',
    (params) => {
      const context = buildContext('ping', { ...(params && { params }) });
      expect([context.params['_meta'], context.meta]).toEqual([undefined, {}]);
    },
  );

  it('shows the HTTP request where there is one (MOD-04)', () => {
    const http = { headers: { 'x-tenant': 'a' }, request: {} };
    expect(buildContext('ping', { channel: new RecordingChannel(true, http) }).http).toBe(http);
    expect(buildContext('ping').http).toBeUndefined();
  });

  describe('the signal', () => {
    it('is aborted when the request is cancelled, with the reason (CANC-01)', () => {
      const context = buildContext('tools/call');
      const { signal } = context;
      context.cancel('The client cancelled');
      expect([signal.aborted, context.isSettled]).toEqual([true, true]);
      expect(signal.reason).toMatchObject({ name: 'AbortError', message: 'The client cancelled' });
    });

    it('is aborted already where it is asked for after the cancellation (CANC-01)', () => {
      const context = buildContext('tools/call');
      context.cancel('gone');
      expect(context.signal.aborted).toBe(true);
    });

    it('is never aborted once the request is answered (CANC-02)', () => {
      const context = buildContext('tools/call');
      const { signal } = context;
      context.settle();
      context.cancel('too late');
      context.fail(new Error('too late'));
      expect(signal.aborted).toBe(false);
    });
  });

  describe('an interruption', () => {
    it('tells who answers the request once: with nothing, or with the failure (CANC-01)', () => {
      const failure = new Error('out of time');
      const heard: unknown[] = [];
      for (const interrupt of ['cancel', 'fail'] as const) {
        const context = buildContext('tools/call');
        context.onInterrupt = (reason) => heard.push(reason);
        if (interrupt === 'cancel') context.cancel('gone');
        else context.fail(failure);
        context.cancel('again');
        context.fail(new Error('again'));
      }
      expect(heard).toEqual([{}, { failure }]);
    });

    it('lets nothing through that the handler still emits (CANC-01)', () => {
      for (const end of ['cancel', 'fail', 'settle'] as const) {
        const channel = new RecordingChannel();
        const context = buildContext('tools/call', { channel, params: { _meta: { progressToken: 1 } } });
        if (end === 'cancel') context.cancel('gone');
        else if (end === 'fail') context.fail(new Error('late'));
        else context.settle();
        context.progress(1);
        context.notify('notifications/x', {});
        expect(channel.sent).toEqual([]);
      }
    });
  });

  describe('client', () => {
    const session = openSession(undefined, { capabilities: { roots: { listChanged: true } } });
    const clientOf = (params: object) => buildContext('ping', { peer: session, params }).client;

    it('adds what the request declares to what the session did, for this request alone (CAP-01)', () => {
      const { capabilities } = clientOf(declare({ sampling: {}, roots: { listChanged: false } }));
      expect(capabilities).toEqual({ roots: { listChanged: true }, sampling: {} });
      expect(session.client.capabilities).toEqual({ roots: { listChanged: true } });
      expect(clientOf({}).capabilities).toEqual({ roots: { listChanged: true } });
    });

    it.each([null, [], 'all', 7, true])('ignores the declaration %j (CAP-01)', (declaration) => {
      expect(clientOf(declare(declaration)).capabilities).toEqual({ roots: { listChanged: true } });
    });

    it('is on the stateless wire what the claim declares (CAP-01)', () => {
      const peer = buildPeer(undefined, { capabilities: { sampling: {} } });
      const context = buildContext('ping', { peer, params: declare({ roots: {} }) });
      expect(context.client.capabilities).toEqual({ sampling: {} });
    });

    it('gives nothing a new ancestor (CAP-01)', () => {
      const params = JSON.parse(
        `{"_meta":{"${MetaKey.clientCapabilities}":{"__proto__":{"polluted":true},"roots":{"__proto__":{"polluted":true}}}}}`,
      ) as object;
      const { capabilities } = clientOf(params);
      expect(Reflect.get(capabilities, 'polluted')).toBeUndefined();
      expect(Reflect.get(capabilities.roots ?? {}, 'polluted')).toBeUndefined();
      expect(Reflect.get({}, 'polluted')).toBeUndefined();
    });
  });

  describe('hasExtension', () => {
    const withExtensions = (extensions: unknown) =>
      buildContext('ping', {
        peer: openSession(undefined, { capabilities: { extensions } as ClientCapabilities }),
        params: declare({ extensions: { 'io.example/request': {} } }),
      });

    it('knows those of the session and of the request (CAP-03)', () => {
      const context = withExtensions({ 'io.example/session': {} });
      expect(context.hasExtension('io.example/session')).toBe(true);
      expect(context.hasExtension('io.example/request')).toBe(true);
      expect(context.hasExtension('io.example/other')).toBe(false);
    });

    it.each([null, 'io.example/session', 7, true, ['io.example/session']])(
      'finds none where a client declares %j (CAP-03)',
      (extensions) => {
        for (const id of ['io.example/session', '0', 'length', 'toString', '__proto__']) {
          expect(withExtensions(extensions).hasExtension(id)).toBe(false);
        }
      },
    );
  });
});
