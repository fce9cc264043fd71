import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findFreePort } from '../../conformance/find-free-port.js';
import { compilePages, folderOf } from '../../e2e/docs/pages.js';
import { findBlocks, readPage } from '../../e2e/docs/snippets.js';
import { requestOfCurl } from '../../support/clients/request-of-curl.js';
import { NodeProgram } from '../../support/programs/node-program.js';
import { RedisServer } from '../../support/redis/redis-server.js';

const PAGE = 'docs/scaling.md';
const MAIN = `
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';

const app = await NestFactory.create(AppModule);
await app.listen(process.env.PORT);
`;

const [opening = '', calling = ''] = findBlocks(PAGE)
  .filter(({ language, text }) => language === 'sh' && text.includes('curl -s'))
  .map(({ text }) => text);

describe('"Try it with two processes" of docs/scaling.md', () => {
  const programs: NodeProgram[] = [];
  const ports: number[] = [];
  let redis: RedisServer | undefined;

  /** Replaces the ports of the page. */
  const move = (text: string) =>
    text.replaceAll(/300([01])/g, (_, index: string) => `${ports[Number(index)]}`);

  beforeAll(async () => {
    compilePages();
    writeFileSync(join(folderOf(PAGE), 'src/main.js'), MAIN);
    redis = await RedisServer.start();
    for (let index = 0; index < 2; index += 1) {
      const port = await findFreePort();
      const environment = { PORT: `${port}`, REDIS_URL: redis.url, MCP_SECRET: 'a'.repeat(44) };
      ports.push(port);
      programs.push(new NodeProgram(join(folderOf(PAGE), 'src/main.js'), environment));
    }
    const line = /\[McpRedis\] (Redis is available: .*)/.exec(readPage(PAGE))?.[1] ?? '';
    for (const program of programs) {
      await program.prints(line);
      await program.prints('successfully started');
    }
  }, 120_000);

  afterAll(async () => {
    for (const program of programs) await program.stop('SIGKILL');
    await redis?.stop();
  });

  it('continues the session of a killed process in the other (RELAY-03)', async () => {
    const opened = await fetch(requestOfCurl(move(opening)));
    const session = opened.headers.get('mcp-session-id') ?? '';
    await opened.text();
    expect(session).not.toBe('');
    await programs[0]?.stop('SIGKILL');
    const called = await fetch(requestOfCurl(move(calling), { SESSION: session }));
    expect(await called.text()).toMatch(new RegExp(`process ${programs[1]?.pid}, session [0-9a-f]{16}`));
  });
});
