import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { perRequest } from '../support/clients/json-rpc.js';
import { until } from '../support/until.js';
import { WebhookReceiver, WEBHOOK_SECRET } from '../support/webhook-receiver.js';
import { CrowdedProgram } from './crowded-program.js';
import { callBeside, expectServed } from './second-caller.js';

const CROWD = ['ada', 'bob', 'cleo'];
const WEBHOOKS = 100;
const ATTEMPT_MS = 15_000;
/** A caller may have so many receivers of one host asked in a minute whether they want events; all of 127.0.0.0/8 is loopback. */
const MOST_OF_HOST = 15;
const tokenOf = (name: string): string => `a-token-of-${name}-0123456789`;
const bearer = (name: string) => ({ authorization: `Bearer ${tokenOf(name)}` });

describe('Three hundred receivers of three callers that answer nothing, with 256 MB of heap', () => {
  let program: CrowdedProgram;
  let quiet: CrowdedProgram;
  let slow: WebhookReceiver;
  let quick: WebhookReceiver;

  beforeAll(async () => {
    [slow, quick] = [await WebhookReceiver.start({ host: '0.0.0.0' }), await WebhookReceiver.start()];
    slow.behave(() => undefined);
    const tokens = [...CROWD, 'dora'].map((subject) => ({ token: tokenOf(subject), subject }));
    const start = () => CrowdedProgram.start({ TOKENS: JSON.stringify(tokens) });
    [program, quiet] = [await start(), await start()];
  });

  afterAll(async () => {
    await Promise.all([program.stop(), quiet.stop()]);
    await Promise.all([slow.stop(), quick.stop()]);
  });

  const urlOf = (name: string, index: number) =>
    `http://127.0.0.${2 + Math.floor(index / MOST_OF_HOST)}:${slow.port}/${name}/${index}`;

  async function subscribe(name: string, url: string): Promise<void> {
    const delivery = { mode: 'webhook', url, secret: WEBHOOK_SECRET };
    const client = perRequest(program.url, { headers: bearer(name) });
    const { result, error } = await client.request('events/subscribe', { name: 'alert.fired', delivery });
    expect([result?.['id'], error]).toEqual([expect.any(String), undefined]);
  }

  it('do not hold the delivery to another caller up (FAIR-03)', async () => {
    const begunAt = performance.now();
    for (const name of CROWD) {
      const urls = Array.from({ length: WEBHOOKS }, (_, index) => urlOf(name, index));
      await Promise.all(urls.map((url) => subscribe(name, url)));
    }
    await subscribe('dora', quick.url);
    const served = await callBeside(
      [program.port, quiet.port],
      async () => {
        await perRequest(program.url, { headers: bearer('dora') }).request('tools/call', {
          name: 'fire',
          arguments: {},
        });
        // No receiver of the crowd has answered, nor is an attempt at one over in so short a time.
        await until(() => quick.received.length > 0, 'the delivery to the other caller', 12_000);
      },
      bearer('dora'),
    );
    expectServed(...served);
    // One place is taken by one attempt after the other, each of which lasts its fifteen seconds.
    const rounds = Math.floor((performance.now() - begunAt) / ATTEMPT_MS) + 1;
    expect(slow.received.length).toBeLessThanOrEqual(3 * 32 * rounds);
  });
});
