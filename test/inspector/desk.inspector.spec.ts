import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeskProgram } from '../e2e/sample/desk-program.js';
import { Inspector } from './inspector.js';

const STDIO = fileURLToPath(new URL('../../.build/sample/01-desk/stdio.js', import.meta.url));
const TIMEOUT_MS = 60_000;

let desk: DeskProgram;
let inspector: Inspector;

const ERAS = [
  { wire: 'with a handshake', era: 'legacy', revision: '2025-11-25' },
  { wire: 'without a handshake', era: 'modern', revision: '2026-07-28' },
];
const TRANSPORTS = [
  { transport: 'HTTP', clause: 'MOD-01', locate: () => [desk.url, '--transport', 'http'] },
  { transport: 'stdio', clause: 'STDIO-01', locate: () => [process.execPath, STDIO] },
];
const PLACES = TRANSPORTS.flatMap((transport) => ERAS.map((era) => ({ ...transport, ...era })));

function callOf(tool: string, input: object): string[] {
  return ['--method', 'tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(input)];
}

beforeAll(async () => {
  desk = await DeskProgram.start();
  inspector = await Inspector.create();
}, TIMEOUT_MS);

afterAll(async () => {
  await inspector?.dispose();
  await desk?.stop();
});

describe.each(PLACES)('the official inspector at the sample 01-desk over $transport $wire', (place) => {
  const { clause, era, revision, locate } = place;
  const call = (...args: readonly string[]) => inspector.call(...locate(), '--protocol-era', era, ...args);

  it(
    `is answered in ${revision} (VER-01, ${clause})`,
    async () => {
      expect(await call('--method', 'initialize')).toMatchObject({
        protocolVersion: revision,
        serverInfo: { name: 'desk' },
      });
    },
    TIMEOUT_MS,
  );

  it(
    `lists the tools (CORE-03, ${clause})`,
    async () => {
      const { tools } = await call('--method', 'tools/list');
      const names = (tools as { readonly name: string }[]).map(({ name }) => name);
      expect(names.toSorted()).toEqual(['audit_desk', 'close_ticket', 'open_ticket', 'search_tickets']);
    },
    TIMEOUT_MS,
  );

  it(
    `calls one (CORE-03, ${clause})`,
    async () => {
      const { structuredContent } = await call(
        ...callOf('search_tickets', { priority: 'urgent', status: 'open' }),
      );
      expect(structuredContent).toMatchObject({
        total: 2,
        tickets: [
          { id: 'T-1012', priority: 'urgent', status: 'open' },
          { id: 'T-1005', priority: 'urgent', status: 'open' },
        ],
      });
    },
    TIMEOUT_MS,
  );
});

describe.each(ERAS)('the official inspector at the sample 01-desk $wire', ({ era }) => {
  const run = (...args: readonly string[]) => inspector.run(desk.url, '--protocol-era', era, ...args);

  it(
    'finds no error in the schemas of the tools (CORE-03)',
    async () => {
      const { code, stderr } = await run('--method', 'tools/list', '--strict');
      expect([code, stderr]).toEqual([0, expect.stringMatching(/^0 errors/m)]);
    },
    TIMEOUT_MS,
  );

  it(
    'tells the failure of a tool from an answer (CORE-05)',
    async () => {
      const { code, stdout, stderr } = await run(...callOf('close_ticket', {}));
      expect(stdout).toContain('id: is required but missing');
      expect([code, stderr]).toEqual([5, expect.stringContaining('tool_is_error')]);
    },
    TIMEOUT_MS,
  );
});
