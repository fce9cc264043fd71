import { describe, expect, it } from '@jest/globals';
import { OutboundNotification } from '../../../../lib/core/protocol/outbound-message.js';
import { STANDALONE_STREAM } from '../../../../lib/server/sessions/streams/stream-records.js';
import type { Session } from '../../../../lib/server/sessions/session.js';
import { buildContext, openSession } from '../../support/requests.js';
import { buildMessage, StreamReader } from '../../support/stream-reader.js';

const openStanding = (session: Session) => new StreamReader(session.streams.open(STANDALONE_STREAM));

describe('Session (MCP 2025-11-25 basic/lifecycle)', () => {
  it('begins unconfirmed, at the level "info" (SESS-01, NOTE-05)', () => {
    const session = openSession(undefined, { isLive: false });
    expect(session).toMatchObject({ isLive: false, isEnded: false, logLevel: 'info' });
    expect(session.session).toBe(session);
  });

  it('wants no log entries where logging was not declared (NOTE-05)', () => {
    const session = openSession(undefined, { declared: {} });
    session.setLogLevel('debug');
    expect(session.logLevel).toBeUndefined();
  });

  it('is sent log entries alone before the client has confirmed the handshake (SESS-01)', () => {
    const session = openSession(undefined, { isLive: false });
    const reader = openStanding(session);
    session.emit(buildMessage('too early'));
    session.emit(new OutboundNotification('notifications/message', { text: 'log' }));
    session.confirm();
    session.emit(buildMessage('in time'));
    expect(reader.texts).toEqual(['log', 'in time']);
  });

  it('keeps what is emitted for a stream that comes later (NOTE-03)', () => {
    const session = openSession();
    session.emit(buildMessage('a'));
    expect(openStanding(session).texts).toEqual(['a']);
  });

  it('cancels what runs and closes its streams when it ends (HTTP-05)', () => {
    const session = openSession();
    const contexts = [1, 2].map((id) => buildContext('tools/call', { id, peer: session }));
    for (const context of contexts) session.inFlight.add(context);
    const { signal } = contexts[0]!;
    const reader = openStanding(session);
    session.end('The client ended the session');
    session.end('again');
    expect(contexts.map(({ isSettled }) => isSettled)).toEqual([true, true]);
    expect((signal.reason as Error).message).toBe('The client ended the session');
    expect([reader.isComplete, session.isEnded]).toEqual([true, true]);
  });

  it('emits nothing after its end (HTTP-05)', () => {
    const session = openSession();
    session.end('over');
    session.emit(buildMessage('a'));
    expect(openStanding(session).texts).toEqual([]);
  });

  it('gives whoever reads after its end a stream that is over (HTTP-05)', () => {
    const session = openSession();
    session.end('over');
    expect(openStanding(session).isComplete).toBe(true);
    session.streams.appendStandalone(buildMessage('a'));
    expect(openStanding(session).texts).toEqual([]);
  });

  it('is busy while a request runs or a stream is read (HTTP-10)', () => {
    const session = openSession();
    expect(session.isBusy).toBe(false);
    const context = buildContext('ping', { peer: session });
    session.inFlight.add(context);
    expect(session.isBusy).toBe(true);
    session.inFlight.remove(context);
    const reader = openStanding(session);
    expect(session.isBusy).toBe(true);
    reader.leave();
    expect(session.isBusy).toBe(false);
  });
});
