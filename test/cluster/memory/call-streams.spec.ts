import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, type McpContext } from 'nestjs-mcp';
import { ADAPTERS } from '../../support/applications/boot.js';
import { Gates } from '../../support/applications/gate.js';
import type { EventStream } from '../../support/clients/event-stream.js';
import { initialize, type SessionClient } from '../../support/clients/json-rpc.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { sessionAt, startProcesses, type Processes } from '../../support/cluster/processes.js';
import { until } from '../../support/until.js';

@Injectable()
class ReportingTool {
  readonly gates = new Gates();

  @Tool({ inputSchema: { type: 'object', properties: { gate: { type: 'string' } }, required: ['gate'] } })
  async work({ gate }: { gate: string }, context: McpContext): Promise<string> {
    context.progress(1, 4);
    await this.gates.at(gate).pass();
    context.progress(2, 4);
    await this.gates.at(`${gate} later`).pass();
    context.progress(3, 4);
    context.progress(4, 4);
    return `done ${gate}`;
  }

  @Tool({ inputSchema: { type: 'object', properties: { gate: { type: 'string' } }, required: ['gate'] } })
  async flood({ gate }: { gate: string }, context: McpContext): Promise<string> {
    context.progress(1);
    await this.gates.at(gate).pass();
    for (let index = 0; index < 100; index += 1) context.log('error', 'x'.repeat(100_000));
    return 'flooded';
  }
}

let counter = 0;

const progress = (stream: EventStream) =>
  stream.messages.flatMap((message) => message.params?.['progress'] ?? []);
const results = (stream: EventStream) =>
  stream.messages.flatMap(({ result }) => (result?.['content'] as { text: string }[] | undefined) ?? []);
const ids = (stream: EventStream) => stream.events.flatMap(({ id, data }) => (data && id ? [id] : []));

describe.each(ADAPTERS)(
  'The stream of a call whose client comes back to another process, on %s',
  (adapter) => {
    let processes: Processes;
    let session: SessionClient;
    let gate: string;

    beforeAll(async () => {
      processes = await startProcesses({ adapter, count: 3, providers: [ReportingTool] });
    });
    beforeEach(async () => {
      session = await initialize(processes.servers[0].url);
      gate = `${adapter} ${(counter += 1)}`;
    });
    afterEach(() => {
      processes.cluster.isAway = false;
    });
    afterAll(() => processes.close());

    const gates = () => processes.servers[0].app.get(ReportingTool).gates;
    const at = (index: number) => sessionAt(processes.servers[index] ?? processes.servers[0], session);
    const params = (name: string) => ({
      name: 'work',
      arguments: { gate: name },
      _meta: { progressToken: name },
    });

    /** Starts a call and leaves after its first message; gives where it was left. */
    async function leave(): Promise<{ readonly lastEventId: string; readonly call: string | number }> {
      const call = session.start('tools/call', params(gate));
      const stream = await call.stream();
      await stream.nextNotification('notifications/progress');
      const { lastEventId } = stream;
      await stream.close();
      return { lastEventId: String(lastEventId), call: call.id };
    }

    it('goes on there with what was missed and what comes, under the same ids (RELAY-01) (RELAY-05)', async () => {
      const { lastEventId, call } = await leave();
      gates().at(gate).open();
      await gates().at(`${gate} later`).reached();
      const resumed = await at(1).openStream({ lastEventId });
      await resumed.nextNotification('notifications/progress');
      gates().at(`${gate} later`).open();
      await resumed.ended;
      expect([progress(resumed), results(resumed)]).toEqual([
        [2, 3, 4],
        [{ type: 'text', text: `done ${gate}` }],
      ]);
      expect(resumed.messages.at(-1)?.id).toBe(call);
      const [name, number] = lastEventId.split(':');
      expect(ids(resumed)).toEqual([1, 2, 3, 4].map((step) => `${name}:${Number(number) + step}`));
    });

    it('is given again from an earlier event on, by any process (RELAY-01) (RELAY-05)', async () => {
      const { lastEventId } = await leave();
      for (const name of [gate, `${gate} later`]) gates().at(name).open();
      for (const index of [1, 2, 0, 1]) {
        const resumed = await at(index).openStream({ lastEventId });
        await resumed.ended;
        expect([progress(resumed), results(resumed).length]).toEqual([[2, 3, 4], 1]);
      }
    });

    it('is taken over by whoever comes back last, wherever the one before is (RELAY-04) (RELAY-05)', async () => {
      const { lastEventId } = await leave();
      const readers: EventStream[] = [];
      for (const index of [1, 2, 0, 1]) {
        readers.push(await at(index).openStream({ lastEventId }));
        await Promise.all(readers.slice(0, -1).map(({ ended }) => ended));
      }
      for (const name of [gate, `${gate} later`]) gates().at(name).open();
      await readers.at(-1)?.ended;
      expect(readers.map((reader) => results(reader).length)).toEqual([0, 0, 0, 1]);
    });

    it('is read by one, of two who come back at once (RELAY-04) (RELAY-05)', async () => {
      const { lastEventId } = await leave();
      const readers = await Promise.all([at(1), at(2)].map((one) => one.openStream({ lastEventId })));
      await Promise.race(readers.map(({ ended }) => ended));
      for (const name of [gate, `${gate} later`]) gates().at(name).open();
      await Promise.all(readers.map(({ ended }) => ended));
      expect(readers.flatMap(results)).toHaveLength(1);
    });

    it('is another’s secret, whatever ids are written (RELAY-05)', async () => {
      const { lastEventId } = await leave();
      const stranger = await initialize(processes.servers[1].url);
      const [stream = '', number] = lastEventId.split(':');
      const [member, ordinal, requests] = stream.split('.');
      const forged = [
        lastEventId,
        `${member}.${Number(ordinal) + 1}.${requests}:${number}`,
        `${member}.${ordinal}.:${number}`,
        `${member}.${ordinal}.${requests}:99`,
        `${member}.${ordinal}.${requests}!:1`,
        `${member}.x.${requests}:1`,
        `${'m'.repeat(40)}.1.MQ:1`,
      ];
      for (const id of forged) {
        const headers = { ...stranger.headers, accept: 'text/event-stream', 'last-event-id': id };
        const { status, text } = await sendHttp(processes.servers[1].url, { headers });
        expect([status, text]).toEqual([400, expect.stringContaining('Last-Event-ID')]);
      }
      for (const name of [gate, `${gate} later`]) gates().at(name).open();
      const own = await at(1).openStream({ lastEventId });
      await own.ended;
      expect(results(own)).toHaveLength(1);
    });

    it('ends with word of when to come back, after something got lost on the way (RELAY-05)', async () => {
      const { lastEventId } = await leave();
      let lost = 0;
      const faults = processes.cluster.faultsOf(1);
      const reader = await at(1).openStream({ lastEventId });
      faults.loses = (text) => text.includes('stream-events') && (lost += 1) === 1;
      gates().at(gate).open();
      await until(() => lost > 0, 'the loss');
      gates().at(`${gate} later`).open();
      await reader.ended;
      faults.loses = () => false;
      expect(reader.events.at(-1)).toMatchObject({ retry: expect.any(Number) });
      const again = await at(1).openStream({ lastEventId: reader.lastEventId });
      await again.ended;
      expect([...progress(reader), ...progress(again)]).toEqual([2, 3, 4]);
      expect(results(again)).toHaveLength(1);
    });

    it('cannot be had while the engine is away: its client is to come again (RELAY-07)', async () => {
      const { lastEventId } = await leave();
      processes.cluster.isAway = true;
      const headers = { ...session.headers, accept: 'text/event-stream', 'last-event-id': lastEventId };
      const refused = await processes.impatiently(() => sendHttp(processes.servers[1].url, { headers }));
      processes.cluster.isAway = false;
      expect([refused.status, refused.headers['retry-after']]).toEqual([503, expect.any(String)]);
      for (const name of [gate, `${gate} later`]) gates().at(name).open();
      const resumed = await at(1).openStream({ lastEventId });
      await resumed.ended;
      expect(results(resumed)).toHaveLength(1);
    });

    it('waits with its process, not with another, for a reader that does not read (RELAY-07)', async () => {
      const call = session.start('tools/call', {
        name: 'flood',
        arguments: { gate },
        _meta: { progressToken: 1 },
      });
      const stream = await call.stream();
      await stream.nextNotification('notifications/progress');
      await stream.close();
      const { sent } = processes.cluster;
      const resumed = await at(1).openStream({ lastEventId: stream.lastEventId });
      resumed.response.pause();
      const before = sent.length;
      gates().at(gate).open();
      await until(
        () => sent.slice(before).some((text) => text.includes('stream-events')),
        'the events of the stream to be sent',
      );
      const other = await at(1).request('tools/list');
      expect(other.status).toBe(200);
      const size = sent.slice(before).reduce((sum, text) => sum + text.length, 0);
      // What the kernel takes for a reader is beyond that, and all of it was ten million.
      expect(size).toBeLessThan(7_000_000);
      await resumed.close();
    });
  },
);
