import { describe, expect, it } from '@jest/globals';
import { migrateSource } from './migrate-files.js';

async function migrateBody(body: string): Promise<string> {
  const migrated = await migrateSource(`import { Tool, type Context } from '@rekog/mcp-nest';
class A {
  @Tool({ name: 'a' })
  async a(args: unknown, context: Context) {
    ${body}
  }
}
`);
  return /context: McpContext\) \{\n {4}([\s\S]*)\n {2}\}\n\}/.exec(migrated)?.[1] ?? migrated;
}

const PAIRS: readonly (readonly [theirs: string, ours: string])[] = [
  ['await context.reportProgress({ progress: 1, total: 2 });', 'context.progress(1, 2);'],
  [
    'await context.reportProgress({ total: n, progress: f(1), message: m });',
    'context.progress(f(1), n, m);',
  ],
  [
    'await context.reportProgress({ progress: 1, message: m } as Progress);',
    'context.progress(1, undefined, m);',
  ],
  [
    'return context.reportProgress(step);',
    'return context.progress(step.progress, step.total, step.message);',
  ],
  [`context.log.info('a');`, `context.log('info', { message: 'a' });`],
  ['context.log.warn(`a ${b}`, { c });', "context.log('warning', { message: `a ${b}`, context: { c } });"],
  ['use(context.mcpRequest.params.name);', 'use(context.params.name);'],
  ['use(context.mcpRequest.params._meta?.progressToken);', 'use(context.meta?.progressToken);'],
  ['use(context.mcpRequest.method);', 'use(context.method);'],
  [
    'use(context.mcpServer.server.getClientCapabilities()?.roots);',
    'use(context.client.capabilities?.roots);',
  ],
  ['use(context.mcpServer.server.getClientVersion());', 'use(context.client.info);'],
  ['await context.mcpServer.server.createMessage({ a });', 'await context.sample({ a });'],
  ['use(context.getSession().sessionId);', 'use(context.session?.id);'],
  ['use(context.getRawRequest());', 'use(context.http?.request);'],
  ['use(context.getRawRequest<Request>()?.ip);', 'use((context.http?.request as Request | undefined)?.ip);'],
  ['use(context.getProtocolVersion());', 'use(context.revision.version);'],
  ['use(context.getClientInfo()?.name);', 'use(context.client.info?.name);'],
];

const LEFT: readonly (readonly [code: string, anchor: string])[] = [
  ['const { log } = context;', 'context'],
  ['await context.reportProgress(step).catch(() => {});', 'context'],
  ['context.mcpServer.sendToolListChanged();', 'sdk-server'],
  ['use(context.mcpRequest);', 'context'],
  ['use(context.getSession().era);', 'context'],
];

describe('The context of handlers', () => {
  it.each(PAIRS)('%s', async (theirs, ours) => {
    expect(await migrateBody(theirs)).toBe(ours);
  });

  it.each(LEFT)('%s is left to a person', async (code, anchor) => {
    const [comment = '', rest] = (await migrateBody(code)).split('\n    ');
    expect(comment).toMatch(/^\/\/ TODO\(nestjs-mcp\): /);
    expect(comment.endsWith(`#${anchor}`)).toBe(true);
    expect(rest).toBe(code);
  });

  it('asks the user by another name, and tells what that means', async () => {
    const migrated = await migrateBody(`const answer = await context.mcpServer.server.elicitInput({
      message: 'Which one?',
      requestedSchema: { type: 'object', properties: {} },
    });`);
    expect(migrated).toContain(`await context.elicit({\n      message: 'Which one?',\n      schema: { type`);
    expect(migrated).toContain('runs again from the start');
  });

  it('is followed into functions that take it, and not into what has its name', async () => {
    const migrated = await migrateSource(`import { type Context } from '@rekog/mcp-nest';
export async function count(context: Context, other: Other) {
  await context.reportProgress({ progress: 1 });
  await other.reportProgress({ progress: 1 });
  [other].forEach((context) => context.reportProgress({ progress: 1 }));
}
`);
    expect(migrated).toContain('  context.progress(1);\n');
    expect(migrated).toContain('  await other.reportProgress({ progress: 1 });');
    expect(migrated).toContain('(context) => context.reportProgress({ progress: 1 })');
  });
});
