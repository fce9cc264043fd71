import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpNotifier, Tool, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';

const QUEUE = 64 * 1024;
const STEPS = 400;
const STEP = 'x'.repeat(1000);
const ENTRIES = 250;
/** Three bytes a character: far more bytes than the log keeps characters. */
const ENTRY = '世'.repeat(4000);

@Injectable()
class BurstingTools {
  @Tool({ description: 'Reports many times without letting go of the turn' })
  burst(_: object, context: McpContext): string {
    for (let step = 1; step <= STEPS; step += 1) context.progress(step, STEPS, `${step}${STEP}`);
    return 'done';
  }
}

describe.each(ADAPTERS)('more at once than may be queued on %s', (adapter) => {
  let desk: RunningApp;
  let notifier: McpNotifier;

  beforeAll(async () => {
    desk = await bootServer({
      adapter,
      options: { streams: { maxQueuedBytes: QUEUE } },
      providers: [BurstingTools],
    });
    notifier = desk.app.get(McpNotifier);
  });

  afterAll(() => desk.close());

  const params = { name: 'burst', _meta: { progressToken: 1 } };

  it('reaches a reader that reads, in a session (HTTP-08)', async () => {
    const session = await initialize(desk.url);
    const answer = await session.request('tools/call', params);
    expect([answer.notifications.length, answer.result]).toEqual([
      STEPS,
      { content: [{ type: 'text', text: 'done' }] },
    ]);
  });

  it('reaches a reader that reads, on the stateless wire (HTTP-08)', async () => {
    const answer = await perRequest(desk.url).request('tools/call', params);
    expect(answer.notifications).toHaveLength(STEPS);
    expect(answer.result).toMatchObject({ content: [{ type: 'text', text: 'done' }] });
  });

  it('reaches a reader that comes back for what was kept (HTTP-04)', async () => {
    const session = await initialize(desk.url);
    for (let count = 1; count <= ENTRIES; count += 1) notifier.log('info', `${count} ${ENTRY}`);
    const stream = await session.openStream();
    await stream.nextMessage(({ params: entry }) => String(entry?.['data']).startsWith(`${ENTRIES} `));
    expect(stream.messages).toHaveLength(ENTRIES);

    notifier.log('info', 'later');
    await stream.nextMessage(({ params: entry }) => entry?.['data'] === 'later');
    await stream.close();
    await session.delete();
  });
});
