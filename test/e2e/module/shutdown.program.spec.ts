import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { ADAPTERS } from '../../support/applications/boot.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { NodeProgram } from '../../support/programs/node-program.js';
import { within } from '../../support/until.js';

const PROGRAM = fileURLToPath(new URL('../../../.build/test/programs/closing-app.js', import.meta.url));

describe.each(ADAPTERS)('a process that closes its application on %s', (adapter) => {
  it('ends by itself, whatever streams are open and handlers run (MOD-12)', async () => {
    const program = new NodeProgram(PROGRAM, { ADAPTER: adapter });
    await program.prints('ready ');
    const url = /ready (\S+)/.exec(program.stdout)?.[1] ?? '';
    const session = await initialize(url);
    const params = { name: 'hang', _meta: { progressToken: 1 } };
    const streams = [
      await session.openStream(),
      await perRequest(url).listen({ toolsListChanged: true }),
      await session.start('tools/call', params).stream(),
      await perRequest(url).start('tools/call', params).stream(),
    ];
    session.start('tools/call', { name: 'hang' });

    expect(await program.stop('SIGUSR2')).toBe(0);
    expect(program.stdout).toContain('closed');
    await within(Promise.all(streams.map(({ ended }) => ended)), 'the end of all streams');
  });

  it('ends by itself where nobody ever came (MOD-12)', async () => {
    const program = new NodeProgram(PROGRAM, { ADAPTER: adapter });
    await program.prints('ready ');
    expect(await program.stop('SIGUSR2')).toBe(0);
    expect(program.stdout).toContain('closed');
  });
});
