import { describe, expect, it } from '@jest/globals';
import { LocalRelay } from '../../../../../../lib/server/relay/local-relay.js';
import type { Relay } from '../../../../../../lib/server/relay/relay.js';
import type { SessionRegistry } from '../../../../../../lib/server/sessions/session-registry.js';
import type { Session } from '../../../../../../lib/server/sessions/session.js';
import { HandOver } from '../../../../../../lib/server/transport/http/elsewhere/hand-over.js';
import type { ClusterRecord, ClusterRecordChange } from 'nestjs-mcp';

const STREAM = 'member.1.MQ';
const REST = {
  stream: STREAM,
  ordinal: 1,
  scopes: ['read'],
  isDelivered: false,
  events: [{ number: 1, message: { json: '{"result":"sesame"}' } }],
};
const SESSION = { key: 'key', streams: { callRests: [REST] } } as unknown as Session;
const PLACE = { stream: STREAM, member: 'member', ordinal: 1, requestIds: [1], number: 0 };

describe('HandOver', () => {
  const records = new Map<string, ClusterRecord>();
  const shared = {
    find: (key: string) => Promise.resolve(records.get(key)),
    change: ({ key, set = {} }: ClusterRecordChange) => Promise.resolve(void records.set(key, set)),
  };
  const relay = Object.assign(Object.create(new LocalRelay()) as object, {
    isShared: true,
    member: 'member',
    shared,
  }) as unknown as Relay;
  const sessions = { all: () => [SESSION] } as unknown as SessionRegistry;

  it('leaves nothing that can be read without the secret', async () => {
    await new HandOver(relay, sessions, { secrets: ['secret'] }).leave();
    expect([...records.keys()]).toEqual(['call:key:member:1']);
    expect(JSON.stringify([...records.values()])).not.toMatch(/sesame|result|read/);
    const other = new HandOver(relay, sessions, { secrets: ['later', 'secret'] });
    await expect(other.find(SESSION, PLACE)).resolves.toEqual({
      scopes: ['read'],
      events: [{ id: `${STREAM}:1`, json: '{"result":"sesame"}' }],
    });
    const stranger = new HandOver(relay, sessions, { secrets: ['another'] });
    await expect(stranger.find(SESSION, PLACE)).resolves.toBeUndefined();
  });

  it('takes nothing that another than a process has written', async () => {
    records.set('call:key:member:1', { [STREAM]: JSON.stringify({ v: 1, scopes: [], events: [] }) });
    const handOver = new HandOver(relay, sessions, { secrets: ['secret'] });
    await expect(handOver.find(SESSION, PLACE)).resolves.toBeUndefined();
  });
});
