import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { bootApp, ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { callTool } from '../pipeline/tool-text.js';
import { readPage, ROOT, writeProgram } from './snippets.js';

const PAGE = 'docs/pipeline.md';
const FOLDER = join(ROOT, '.build/pipeline-page');

writeProgram(FOLDER, PAGE);
const load = async <Exported>(file: string) => (await import(join(FOLDER, file))) as Exported;

const { UsersModule } = await load<{ UsersModule: Type }>('serializers.ts');
const { StockModule, actors } = await load<{ StockModule: Type; actors: string[] }>('by-kind.ts');
const { ResponseInterceptor } = await load<{ ResponseInterceptor: Type<object> }>('envelopes.ts');
const { SignUpTools } = await load<{ SignUpTools: Type }>('exceptions.ts');

const running: RunningApp[] = [];

async function keep(starting: Promise<RunningApp>): Promise<RunningApp> {
  const app = await starting;
  running.push(app);
  return app;
}

afterEach(() => Promise.all(running.splice(0).map((app) => app.close())));

describe.each(ADAPTERS)('What docs/pipeline.md shows, on %s', (adapter) => {
  it('serializes for a tool as for its route (APP-01)', async () => {
    const app = await keep(bootApp({ adapter, module: UsersModule }));
    for (const [path, tool] of [
      ['me', 'read_account'],
      ['admin', 'inspect_account'],
    ] as const) {
      const routed = await fetch(`${app.origin}/users/${path}`);
      expect((await callTool(app.url, tool)).text).toBe(await routed.text());
    }
    const { text } = await callTool(app.url, 'read_account');
    expect(readPage(PAGE)).toContain(`both return \`${text}\``);
  });

  it('runs the global interceptors that are chosen (APP-02)', async () => {
    const app = await keep(bootApp({ adapter, module: StockModule }));
    actors.length = 0;
    expect((await callTool(app.url, 'count_boots')).text).toBe('7');
    expect(actors.filter((type) => type !== 'http')).toEqual(['mcp']);
  });

  it('wraps answers of routes alone (APP-02)', async () => {
    const { AccountController } = await import('../pipeline/serializers/accounts.app.js');
    const app = await keep(
      bootServer({
        adapter,
        options: { globalEnhancers: true },
        controllers: [AccountController],
        configure: (nest) => void nest.useGlobalInterceptors(new ResponseInterceptor() as never),
      }),
    );
    expect((await callTool(app.url, 'nothing')).text).toBe('{"nothing":null}');
    const routed = await fetch(`${app.origin}/accounts/nothing`);
    expect(await routed.json()).toEqual({ data: { nothing: null }, success: true });
  });

  it('tells the faults of an exception as the page shows them (APP-03)', async () => {
    const app = await keep(bootServer({ adapter, providers: [SignUpTools] }));
    const { text } = await callTool(app.url, 'sign_up');
    expect(readPage(PAGE)).toContain(`\`\`\`text\n${text}\n\`\`\``);
  });
});
