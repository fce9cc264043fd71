import { connect, createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ReportServer, type Reporter } from '../../../../lib/cli/dev/report-server.js';
import type { DevelopmentReport } from '../../../../lib/core/development/report.interface.js';
import { DevelopmentLink } from '../../../../lib/server/development/development-link.js';
import { until } from '../../../support/until.js';

const LOSS = { type: 'loss', calls: 3 } as const;

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
    await until(() => reports.length > 0);
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
    await until(() => reports.length > 0);
    expect(reports).toEqual([LOSS]);
    server.close();
  });
});
