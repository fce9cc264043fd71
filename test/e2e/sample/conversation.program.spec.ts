import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { DemoRun } from '../../support/programs/demo-run.js';
import { NodeProgram } from '../../support/programs/node-program.js';

const BUILD = fileURLToPath(new URL('../../../.build/sample/02-conversation', import.meta.url));

describe('npm run start:conversation', () => {
  it('prints the URL, and ends cleanly (MOD-12)', async () => {
    const assistant = new NodeProgram(`${BUILD}/main.js`, { PORT: '0' });
    await assistant.prints('npm run demo:conversation');
    expect(assistant.stdout).toMatch(/serves MCP at http:\/\/127\.0\.0\.1:\d+\/mcp/);
    expect(await assistant.stop()).toBe(0);
    expect(assistant.stderr).toBe('');
  });

  it('says that the port is not one', async () => {
    const wrong = new NodeProgram(`${BUILD}/main.js`, { PORT: '70000' });
    expect(await wrong.exitCode()).toBe(1);
    expect(wrong.stderr).toContain('cannot start on port "70000"');
  });
});

describe('npm run demo:conversation', () => {
  let demo: DemoRun;

  beforeAll(async () => {
    demo = await DemoRun.of(`${BUILD}/demo.js`);
  });

  it('exits with 0 and complains of nothing', () => {
    expect(demo.program.stderr).toBe('');
    expect(demo.code).toBe(0);
  });

  /** Gives what the demo printed of one call. */
  function find(beginning: string, tool: string): string {
    return demo.find((part) => part.startsWith(beginning) && part.includes(tool));
  }

  it.each(['Revision 2026-07-28', 'Revision 2025-11-25'])(
    'books in the conversation of %s, with answers of user, model and client (REV-01, REV-02)',
    (revision) => {
      const booking = find(revision, 'book_room');
      expect(booking).toContain('When is "Spring planning"?');
      expect(booking).toMatch(/Model: +(?:Deck|Estuary)/);
      expect(booking).toMatch(/Which room\? (?:Deck|Estuary) would fit/);
      expect(booking).toMatch(/"start":"14:00".+"room":"(?:Deck|Estuary)","project":"tide-tables"/);
    },
  );

  it.each(['Revision 2026-07-28', 'Revision 2025-11-25'])(
    'changes nothing when the user declines in %s (REV-01)',
    (revision) => {
      expect(find(revision, 'cancel_booking')).toContain('The user declined, and nothing was changed');
    },
  );

  it('ends a call without a session with its questions, and makes it again with the answers (REV-02)', () => {
    const booking = find('Revision 2026-07-28', 'book_room');
    expect(booking).toContain('input_required, with the questions: details, roots');
    expect(booking).toContain('once more, with the answers: details, roots');
    expect(booking).not.toContain('<-- request');
    expect(booking.match(/--> tools\/call/g)).toHaveLength(4);
  });

  it('puts its questions as requests within one call in a session (REV-02)', () => {
    const booking = find('Revision 2025-11-25', 'book_room');
    expect(booking.match(/<-- request (\S+)/g)?.toSorted()).toEqual([
      '<-- request elicitation/create',
      '<-- request elicitation/create',
      '<-- request roots/list',
      '<-- request sampling/createMessage',
    ]);
    expect(booking.match(/--> tools\/call/g)).toHaveLength(1);
  });
});
