import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Reporter } from '../../../../cli/dev/failure-printer.js';
import { ReportServer } from '../../../../cli/dev/report-server.js';
import {
  buildProof,
  type DevConnection,
  formatMessage,
  MessageLines,
} from '../../../../lib/core/development/dev-connection.js';
import type { CallReport, DevelopmentReport, OfferReport } from '../../../../lib/core/development/report.js';
import { DevelopmentLink } from '../../../../lib/server/development/development-link.js';
import { until } from '../../../support/until.js';

const LOSS = { type: 'loss', calls: 3 } as const;

const CALL: CallReport = {
  type: 'call',
  server: 'default',
  event: 'request',
  outcome: 'ok',
  durationMs: 1,
};

const OFFER_CHARACTERS = 20_000;

function buildOffer(server: string, name: string): OfferReport {
  const parts = { description: 'x'.repeat(OFFER_CHARACTERS) };
  return { type: 'offer', server, entries: [{ kind: 'tool', name, parts }] };
}

/** Greets as a terminal does, and reads nothing more until it is told to. */
async function listenSlowly({ path, secret }: DevConnection, taken: DevelopmentReport[]) {
  const lines = new MessageLines(Infinity);
  let socket: Socket | undefined;
  const server = createServer((accepted) => {
    socket = accepted;
    let greetings = 0;
    accepted
      .on('error', () => undefined)
      .on('data', (chunk: Buffer) => {
        for (const message of lines.read(chunk)) {
          greetings += 1;
          if (greetings > 2) taken.push(message as DevelopmentReport);
          else if (greetings === 2) accepted.pause().write(formatMessage({ isRestart: false }));
          else {
            const { nonce } = message as { readonly nonce: string };
            accepted.write(formatMessage({ proof: buildProof(secret, 'terminal', nonce), nonce: 'n' }));
          }
        }
      });
  });
  server.listen(path);
  await once(server, 'listening');
  return { readOn: () => socket?.resume(), close: () => (socket?.destroy(), server.close()) };
}

describe('DevelopmentLink', () => {
  let reports: DevelopmentReport[];
  let reporters: Reporter[];
  let server: ReportServer;

  beforeEach(async () => {
    [reports, reporters] = [[], []];
    server = new ReportServer({
      onBegin: async (reporter) => void reporters.push(reporter),
      onReport: (report) => void reports.push(report),
      onEnd: (reporter) => void reporters.splice(reporters.indexOf(reporter), 1),
    });
    await server.listen();
  });

  afterEach(() => server.close());

  it('reports to whoever has invited, and says who it is', async () => {
    const link = await DevelopmentLink.open(server.invitation);
    expect(link?.isRestart).toBe(false);
    expect(reporters).toMatchObject([{ pid: process.pid }]);
    link?.send(LOSS);
    await until(() => reports.length > 0, 'a report');
    expect(reports).toEqual([LOSS]);
  });

  it('is the same for all servers of a process', async () => {
    const links = await Promise.all([1, 2].map(() => DevelopmentLink.open(server.invitation)));
    expect(links[0]).toBe(links[1]);
    expect(reporters).toHaveLength(1);
  });

  it('is refused without the secret', async () => {
    const guessed = { ...server.invitation, secret: 'g'.repeat(43) };
    expect(await DevelopmentLink.open(guessed)).toBeUndefined();
    expect(reporters).toEqual([]);
  });

  it('is nothing where nobody listens', async () => {
    const gone = { ...server.invitation, path: `${server.invitation.path}-gone` };
    expect(await DevelopmentLink.open(gone)).toBeUndefined();
  });

  it('keeps the last offer of each server, and counts calls, while nobody reads', async () => {
    const invitation = { ...server.invitation, path: `${server.invitation.path}-slow` };
    const taken: DevelopmentReport[] = [];
    const slow = await listenSlowly(invitation, taken);
    const link = await DevelopmentLink.open(invitation);
    for (let count = 1; count <= 500; count += 1) {
      link?.send(buildOffer('default', `tool-${count}`));
      link?.send(buildOffer('other', `tool-${count}`));
    }
    link?.send(CALL);
    slow.readOn();
    await until(() => taken.at(-1)?.type === 'loss', 'the loss');
    const offers = taken.filter((report) => report.type === 'offer');
    expect(offers.length).toBeLessThan(500);
    expect(offers.slice(-2).map(({ server: key, entries }) => `${key} ${entries[0]?.name}`)).toEqual([
      'default tool-500',
      'other tool-500',
    ]);
    expect(taken.at(-1)).toEqual({ type: 'loss', calls: 1 });
    slow.close();
  });

  describe("at a place that is somebody else's by now", () => {
    let other: Server;
    let heard: string;

    beforeEach(async () => {
      heard = '';
      other = createServer((socket) => {
        socket.setEncoding('utf8').on('data', (text: string) => {
          heard += text;
          socket.write('{"proof":"made up","nonce":"n"}\n{"isRestart":true}\n');
        });
        socket.on('error', () => undefined);
      });
      other.listen(`${server.invitation.path}-other`);
      await once(other, 'listening');
    });

    afterEach(() => void other.close());

    it('shows nothing of the secret, and reports nothing', async () => {
      const invitation = { ...server.invitation, path: `${server.invitation.path}-other` };
      expect(await DevelopmentLink.open(invitation)).toBeUndefined();
      expect(heard).toMatch(/^\{"nonce":"[\w-]+"\}\n$/);
    });
  });
});

describe('ReportServer', () => {
  it('takes nothing of whoever does not show the secret, and goes on for others', async () => {
    const reports: DevelopmentReport[] = [];
    const server = new ReportServer({
      onBegin: async () => undefined,
      onReport: (report) => void reports.push(report),
      onEnd: () => undefined,
    });
    await server.listen();
    const stranger = connect(server.invitation.path)
      .on('error', () => undefined)
      .resume();
    stranger.write('{"nonce":"n"}\n{"proof":"guessed"}\n{"type":"loss","calls":1}\n');
    await once(stranger, 'close');
    const link = await DevelopmentLink.open(server.invitation);
    link?.send(LOSS);
    await until(() => reports.length > 0, 'a report');
    expect(reports).toEqual([LOSS]);
    server.close();
  });
});
