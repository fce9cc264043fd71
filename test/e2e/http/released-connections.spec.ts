import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { Gate } from '../../support/applications/gate.js';
import { expectSpread } from '../../support/clients/expect-spread.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';

@Injectable()
class Exports {
  gate = new Gate();

  @Tool()
  async slow(_arguments: object, context: McpContext): Promise<string> {
    context.releaseConnection(20);
    await this.gate.pass(context.signal);
    context.log('info', 'nearly there');
    return 'exported';
  }
}

describe.each(ADAPTERS)('A call whose connection is let go, on %s', (adapter) => {
  let server: RunningApp;

  beforeAll(async () => {
    server = await bootServer({
      adapter,
      options: { streams: { maxAgeMs: 50, retryMs: 30 } },
      providers: [Exports],
    });
  });

  afterAll(() => server.close());

  function closeGate(): Gate {
    const exports = server.app.get(Exports);
    exports.gate = new Gate();
    return exports.gate;
  }

  it('primes the client, says when to come back, and ends the stream (HTTP-04)', async () => {
    const gate = closeGate();
    const session = await initialize(server.url);
    const stream = await session.start('tools/call', { name: 'slow' }).stream();
    await stream.ended;
    expect(stream.events).toMatchObject([{ id: '1:0', data: '' }, { retry: 20 }]);
    gate.open();
  });

  it('gives the client that comes back the rest, once and in order (HTTP-04)', async () => {
    const gate = closeGate();
    const session = await initialize(server.url);
    const lost = await session.start('tools/call', { name: 'slow' }).stream();
    await lost.ended;
    gate.open();
    const resumed = await session.openStream({ lastEventId: lost.lastEventId });
    const message = await resumed.nextMessage(({ result }) => result !== undefined);
    expect(message.result).toMatchObject({ content: [{ text: 'exported' }] });
    expect(resumed.messages.map(({ method }) => method)).toEqual(['notifications/message', undefined]);
    await resumed.ended;
  });

  it('stays on its connection where the revision knows of no coming back (VER-03)', async () => {
    const gate = closeGate();
    const session = await initialize(server.url, { version: '2025-06-18' });
    const call = session.start('tools/call', { name: 'slow' });
    const stateless = perRequest(server.url).start('tools/call', { name: 'slow' });
    gate.open();
    expect((await call.answer()).result).toMatchObject({ content: [{ text: 'exported' }] });
    expect((await stateless.answer()).result).toMatchObject({ content: [{ text: 'exported' }] });
  });

  it('loses a standing stream that is as old as streams may be, and takes it up again (HTTP-04)', async () => {
    const session = await initialize(server.url);
    const stream = await session.openStream();
    await stream.ended;
    expect(stream.events).toMatchObject([{ id: '0:0' }, {}]);
    expectSpread(stream, 30);
    const again = await session.openStream({ lastEventId: stream.lastEventId });
    await again.ended;
    expect(again.events).toHaveLength(1);
    expectSpread(again, 30);
  });
});
