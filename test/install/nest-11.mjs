import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatGreetingSpec } from './greeting-spec.mjs';
import { readPageFiles } from './page-files.mjs';
import { run } from './shell.mjs';

const OPTIONS = ['--package-manager', 'npm', '--skip-git', '--skip-install'];
const FOR_TESTS = ['@modelcontextprotocol/client', '@swc/core', '@swc/jest'];

/** What an application may import besides, with all that it imports. */
const CLIENT_SPEC = `import { OAuthTokenSource } from 'nestjs-mcp/client';
import { McpClientModule } from 'nestjs-mcp/client-module';

it('are loaded', () => {
  expect([OAuthTokenSource, McpClientModule].map((one) => typeof one)).toEqual(['function', 'function']);
});
`;

/** Makes an application of CommonJS, which is tested by Jest as the page says that it has to be set up. */
export function tryNest11(folder, tarball) {
  run(folder, 'npx', '--yes', '@nestjs/cli@11', 'new', 'desk', ...OPTIONS);
  const app = join(folder, 'desk');
  run(app, 'npm', 'install', tarball, 'zod');
  run(app, 'npm', 'install', '--save-dev', ...FOR_TESTS);
  console.log(run(app, 'npx', 'nestjs-mcp', 'init'));

  const manifest = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'));
  const shown = JSON.parse(readPageFiles('docs/getting-started.md').get('package.json'));
  const jest = { ...manifest.jest, ...shown.jest };
  writeFileSync(join(app, 'package.json'), JSON.stringify({ ...manifest, jest }, null, 2));
  writeFileSync(
    join(app, 'src/greeting.spec.ts'),
    formatGreetingSpec({ imports: '', appModule: './app.module' }),
  );
  writeFileSync(join(app, 'src/clients.spec.ts'), CLIENT_SPEC);
  run(app, 'npx', 'jest');
  run(app, 'npx', 'tsc', '--noEmit', '-p', 'tsconfig.json');
}
