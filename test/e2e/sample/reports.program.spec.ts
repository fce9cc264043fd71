import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { DemoRun } from '../../support/programs/demo-run.js';
import { NodeProgram } from '../../support/programs/node-program.js';

const BUILD = fileURLToPath(new URL('../../../.build/sample/04-reports', import.meta.url));

describe('npm run start:reports', () => {
  it('prints the URL, the token and what to do with them, and ends cleanly (MOD-12)', async () => {
    const office = new NodeProgram(`${BUILD}/main.js`, { PORT: '0', TOKEN: 'the-token-of-a-reader' });
    await office.prints('npm run demo:reports');
    expect(office.stdout).toMatch(/serves MCP at http:\/\/127\.0\.0\.1:\d+\/mcp/);
    expect(office.stdout).toContain('TOKEN=the-token-of-a-reader');
    expect(await office.stop()).toBe(0);
    expect(office.stderr).toBe('');
  });

  it('says that the port is not one', async () => {
    const wrong = new NodeProgram(`${BUILD}/main.js`, { PORT: '70000' });
    expect(await wrong.exitCode()).toBe(1);
    expect(wrong.stderr).toContain('cannot start on port "70000"');
  });
});

describe('npm run demo:reports', () => {
  let demo: DemoRun;

  beforeAll(async () => {
    demo = await DemoRun.of(`${BUILD}/demo.js`);
  });

  /** Gives what the demo printed of one part. */
  function find(text: string): string {
    return demo.find((part) => part.split('\n', 1).some((line) => line.includes(text)));
  }

  it('exits with 0 and complains of nothing', () => {
    expect(demo.program.stderr).toBe('');
    expect(demo.code).toBe(0);
  });

  it.each([
    { part: 'by tasks/get', number: 'R-1', format: 'html', first: '<p>Sales', clauses: 'TASK-01, TASK-02' },
    { part: 'by notifications', number: 'R-2', format: 'text', first: 'Sales', clauses: 'TASK-03, TASK-06' },
  ])(
    'writes a report that is watched $part, and asks in the middle ($clauses)',
    ({ part, number, format, first }) => {
      const printed = find(part);
      const bars = [...printed.matchAll(/^ {2}[█░]+ (\d) of 6/gm)].map(([, done]) => Number(done));
      expect(bars.at(-1)).toBe(6);
      expect(bars).toEqual(bars.toSorted((one, other) => one - other));
      const [before = '', after = ''] = printed.split('Go on, and in which format?');
      expect(before).toContain('of 6');
      expect(after).toMatch(new RegExp(`User +${format}`));
      expect(after).toContain(`completed, ${number}, ${first}`);
    },
  );

  it('cancels a report that is listened to in its second chapter (TASK-01, TASK-05)', () => {
    const printed = find('cancelled');
    expect(printed).toMatch(/Chapter 2 of 6[^]*does not want it any more[^]*Task +cancelled\n/);
    expect(printed).not.toContain('completed');
  });

  it('tells who streams events and who receives webhooks of the two reports that were finished (EVT-01)', () => {
    expect(find('Who wants to know')).toMatch(/SSE +the stream of "report.finished" is open/);
    for (const number of ['R-1', 'R-2']) {
      expect(demo.program.stdout).toMatch(new RegExp(`SSE +report.finished: ${number}`));
      expect(demo.program.stdout).toMatch(
        new RegExp(`Webhook +report.finished: ${number}.*the signature is right`),
      );
    }
    expect(find('Both have heard')).toMatch(/SSE +R-1, R-2\n +Webhook +R-1, R-2\n/);
  });

  it('lists the finished reports by an extension of its own (EXT-03)', () => {
    expect(find('The archive is an extension')).toMatch(/R-1 +\S.*\n +R-2 +\S/);
  });

  it('refuses a webhook that is not signed (EVT-01)', () => {
    expect(find('Who wants to know')).toContain('refused: the signature is not that of the report office');
  });
});
