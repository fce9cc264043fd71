import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { getMcpClientToken, McpClientModule, type McpClient } from 'nestjs-mcp/client-module';
import type { Setup } from './setup.interface.js';

/** Does work with an injected client, which is what reads skills. */
async function withInjectedClient(
  { serverUrl, revision }: Setup,
  work: (client: McpClient) => Promise<unknown>,
): Promise<void> {
  const negotiation = revision === '2026-07-28' ? { pin: revision } : 'legacy';
  const app = await NestFactory.createApplicationContext(
    {
      module: class SkillsModule {},
      imports: [McpClientModule.forRoot([{ name: 'suite', url: serverUrl.href, negotiation }])],
    },
    { logger: ['error'], abortOnError: false },
  );
  await work(app.get<McpClient>(getMcpClientToken('suite'))).finally(() => app.close());
}

/** Looks at what there is, and takes nothing. */
export function listSkills(setup: Setup): Promise<void> {
  return withInjectedClient(setup, ({ skills }) => skills.list());
}

/** Loads each skill, and then reads all of its files. */
export function readSkills(setup: Setup): Promise<void> {
  return withInjectedClient(setup, async ({ skills }) => {
    for (const skill of await skills.list()) {
      await skills.load(skill);
      const { resources } = skill;
      if (resources === 'dynamic') continue;
      for (const { uri } of resources) await skills.read(skill, uri);
    }
  });
}
