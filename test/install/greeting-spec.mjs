/** Writes a test of the tool that `init` adds, as an application has it: by its own runner of tests, with its own types. */
export function formatGreetingSpec({ imports, appModule }) {
  return `import { Test } from '@nestjs/testing';
import { McpTestingModule, mcpMatchers } from 'nestjs-mcp/testing';
${imports}
import { AppModule } from '${appModule}';

expect.extend(mcpMatchers);

it('greets', async () => {
  const moduleRef = await Test.createTestingModule({ imports: [AppModule] }).compile();
  await moduleRef.init();
  const client = await McpTestingModule.createClient(moduleRef);
  expect(await client.callTool({ name: 'greet', arguments: { name: 'Ada' } })).toHaveText('Hello, Ada');
  expect(await client.callTool({ name: 'greet', arguments: {} })).toBeToolError(/name/);
  await client.close();
  await moduleRef.close();
});

// @ts-expect-error the matcher is known, and takes no number
export const misuse = () => expect({}).toHaveText(1);
`;
}
