import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RunningApp } from '../../support/applications/boot.js';
import { PROJECT_CALLERS, ProjectHandlers, ran } from '../../support/applications/project-desk.js';
import { bootDesk, PUBLISHED, WAYS } from '../../support/applications/protected-desk.js';

describe.each(WAYS)('A tool that search found $wire on $adapter', ({ adapter, connect }) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootDesk(adapter, {
      auth: { ...PUBLISHED, bearer: Object.values(PROJECT_CALLERS) },
      options: { catalog: { search: true } },
      providers: [ProjectHandlers],
    });
  });

  beforeEach(() => void (ran.length = 0));

  afterAll(() => desk.close());

  it('needs the scopes of its own arguments, and not of those that name it (XTN-04) (XTN-07)', async () => {
    const ask = async (token: string, project: string) =>
      (await connect(desk.url, token))('tools/call', {
        name: 'call_tool',
        arguments: { name: 'annotate', arguments: { project } },
      }).answer();
    const { none, alpha } = PROJECT_CALLERS;
    const refused = await ask(none.token, 'alpha');
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([
      403,
      expect.stringContaining('scope="desk:write project:alpha:write"'),
    ]);
    expect((await ask(alpha.token, 'beta')).status).toBe(403);
    expect(ran).toEqual([]);
    expect((await ask(alpha.token, 'alpha')).status).toBe(200);
    expect(ran).toEqual(['annotate alpha']);
  });
});
