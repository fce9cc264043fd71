import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventStream } from '../../support/clients/event-stream.js';
import { initialize } from '../../support/clients/json-rpc.js';
import { callToolIn } from '../../support/clients/tools.js';
import { endAfterEach } from '../../support/cluster/end-after-each.js';
import { WAYS_TO_LISTEN } from '../../support/cluster/listening.js';
import { ProcessCluster } from '../../support/cluster/process-cluster.js';

const LONG_MS = 30_000;
const WATCHED = 'cluster://watched';
const UPDATED = 'notifications/resources/updated';

let cluster: ProcessCluster;

beforeAll(async () => {
  cluster = await ProcessCluster.start({ environment: { AUTH: '1' } });
}, 120_000);

afterAll(() => cluster.stop());

const begin = endAfterEach();
const tokenOf = (subject: string) => ({ authorization: `Bearer token-of-${subject}-0123456789` });
const connect = (index: number, subject: string) =>
  initialize(cluster.urlOf(index), { headers: tokenOf(subject) });
const count = ({ messages }: EventStream, method: string) =>
  messages.filter((message) => message.method === method).length;

describe.each(WAYS_TO_LISTEN)('On %s', (_way, listen) => {
  it('a caller hears alone what is told to that caller, in whichever process (RELAY-01) (RELAY-04)', async () => {
    const open = (index: number, subject: string) =>
      begin(listen(cluster.at(index).origin, { headers: tokenOf(subject), uri: WATCHED }));
    const [adas, bobs] = [await open(0, 'ada'), await open(0, 'bob')];
    for (const index of [0, 1, 2]) {
      const teller = await connect(index, 'bob');
      await callToolIn(teller, 'tellCaller', { subject: 'ada', text: 'for ada' });
      await adas.nextNotification(UPDATED, LONG_MS);
    }
    expect(count(bobs, UPDATED)).toBe(0);
    await callToolIn(await connect(1, 'ada'), 'tellCaller', { subject: 'bob', text: 'for bob' });
    await bobs.nextNotification(UPDATED, LONG_MS);
    expect([count(adas, UPDATED), count(bobs, UPDATED)]).toEqual([3, 1]);
  });
});

describe('What is told to one session', () => {
  it('comes on its stream alone, by its id or its key, from whichever process (RELAY-01) (RELAY-04)', async () => {
    const teller = await connect(0, 'bob');
    const [one, other] = [await connect(0, 'ada'), await connect(0, 'ada')];
    const streams = [await begin(one.at(cluster.urlOf(1)).openStream()), await begin(other.openStream())];
    const textsOf = ({ messages }: EventStream) =>
      messages.flatMap(({ method, params }) =>
        method === 'notifications/message' ? [params?.['data']] : [],
      );
    const [key = ''] = one.id.split('.');
    const texts = ['a', 'b', 'c'];
    for (const [index, text] of texts.entries()) {
      const session = index === 1 ? key : one.id;
      await callToolIn(teller.at(cluster.urlOf(index)), 'tellSession', { session, text });
      await streams[0]!.nextNotification('notifications/message', LONG_MS);
    }
    await callToolIn(teller, 'tellSession', { session: other.id, text: 'other' });
    await streams[1]!.nextNotification('notifications/message', LONG_MS);
    expect(streams.map(textsOf)).toEqual([texts, ['other']]);
  });
});
