import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callTool } from './call-tool.mjs';
import { tryDev } from './dev.mjs';
import { callHandlers, generateHandlers, KINDS } from './generators.mjs';
import { formatGreetingSpec } from './greeting-spec.mjs';
import { readPageFiles } from './page-files.mjs';
import { run } from './shell.mjs';

const OPTIONS = ['--package-manager', 'npm', '--skip-git', '--skip-install'];

/** What an application may import besides, with all that it imports. */
const CLIENT_SPEC = `import { OAuthTokenSource } from 'nestjs-mcp/client';
import { McpClientModule } from 'nestjs-mcp/client-module';

it('are loaded', () => {
  expect([OAuthTokenSource, McpClientModule].map((one) => typeof one)).toEqual(['function', 'function']);
});
`;

/** Makes an application of CommonJS, whose scripts all work once `init` has been there, and generates handlers. */
export async function tryNest11(folder, { server, cli }) {
  run(folder, 'npx', '--yes', '@nestjs/cli@11', 'new', 'desk', ...OPTIONS);
  const app = join(folder, 'desk');
  run(app, 'npm', 'install', server, 'zod');
  run(app, 'npm', 'install', '--save-dev', cli);
  console.log(run(app, 'npx', 'nestjs-mcp-cli', 'init'));
  run(app, 'npm', 'install', '--save-dev', '@modelcontextprotocol/client');
  assertJestOfPage(app);
  writeFileSync(
    join(app, 'src/greeting.spec.ts'),
    formatGreetingSpec({ imports: '', appModule: './app.module' }),
  );
  writeFileSync(join(app, 'src/clients.spec.ts'), CLIENT_SPEC);
  run(app, 'npm', 'test');
  run(app, 'npx', 'tsc', '--noEmit', '-p', 'tsconfig.json');
  for (const spec of ['greeting', 'clients']) rmSync(join(app, `src/${spec}.spec.ts`));
  await tryDev(app);
  await tryGenerators(app);
  tryMonorepo(app);
}

/** The page shows what `init` writes. */
function assertJestOfPage(app) {
  const { jest } = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'));
  const shown = JSON.parse(readPageFiles('docs/getting-started.md').get('package.json'));
  assert.deepEqual({ ...jest, ...shown.jest }, jest);
}

/** What is generated is built, called, linted, formatted and tested; the one that asks for tokens comes last. */
async function tryGenerators(app) {
  const last = 'identity-provider';
  generateHandlers(
    app,
    KINDS.filter((kind) => kind !== last),
  );
  run(app, 'npm', 'run', 'build');
  await callHandlers(app);
  generateHandlers(app, [last]);
  run(app, 'npm', 'run', 'build');
  assert.equal((await callTool(app, 'tool_sample', { text: 'one two' })).status, 401);
  run(app, 'npx', 'eslint', '{src,test}/**/*.ts');
  run(app, 'npx', 'prettier', '--check', 'src', 'test');
  run(app, 'npx', 'tsc', '--noEmit', '-p', 'tsconfig.json');
  run(app, 'npm', 'run', 'test:cov');
  run(app, 'npm', 'run', 'test:e2e');
}

/** A second application makes it a monorepo of the Nest CLI, and gets a handler of its own. */
function tryMonorepo(app) {
  run(app, 'npx', 'nest', 'generate', 'app', 'admin');
  run(app, 'npx', 'nest', 'generate', '-c', 'nestjs-mcp-cli', 'prompt', 'briefing', '--project', 'admin');
  assert.match(readFileSync(join(app, 'apps/admin/src/admin.module.ts'), 'utf8'), /BriefingPrompt/);
  run(app, 'npx', 'nest', 'build', 'admin');
  run(app, 'npx', 'jest', 'apps/admin/src/briefing');
}
