import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findFreePort } from '../../conformance/find-free-port.js';
import { NodeProgram } from '../../support/programs/node-program.js';
import { requestOfCurl } from '../../support/clients/request-of-curl.js';
import { until } from '../../support/until.js';
import { compilePages, folderOf } from './pages.js';
import { findBlocks, readPage } from './snippets.js';

/** What the Nest CLI writes. */
const MAIN = `
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';

async function bootstrap() {
  const app = await NestFactory.create(AppModule);
  await app.listen(process.env.PORT ?? 3000);
}
await bootstrap();
`;

/** Sends what the page's curl command would send, to another port. */
function send(page: string, port: number, variables?: Readonly<Record<string, string>>): Promise<Response> {
  const text = readPage(page).replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`);
  return fetch(requestOfCurl(text, variables));
}

/** Starts the application that a page tells its reader to write, in a terminal with these variables. */
async function startApplication(
  page: string,
  variables?: Readonly<Record<string, string>>,
): Promise<{ program: NodeProgram; port: number }> {
  const port = await findFreePort();
  const program = new NodeProgram(join(folderOf(page), 'src/main.js'), { ...variables, PORT: String(port) });
  await program.prints('successfully started');
  await until(() => send(page, port).catch(() => undefined), 'an answer');
  return { program, port };
}

beforeAll(() => compilePages());

describe('the application of docs/first-server.md', () => {
  const page = 'docs/first-server.md';
  const terminal = { DICE_TOKEN: 'a-token-that-openssl-made-for-a-reader' };
  let program: NodeProgram;
  let port = 0;

  beforeAll(async () => {
    writeFileSync(join(folderOf(page), 'src/main.js'), MAIN);
    ({ program, port } = await startApplication(page, terminal));
  });

  afterAll(() => program?.stop());

  it('answers the curl command with what the page shows (VER-04, HTTP-02)', async () => {
    const answer: unknown = await (await send(page, port, terminal)).json();
    const shown = findBlocks(page).find(({ language }) => language === 'json');
    expect(describeShape(answer)).toEqual(describeShape(JSON.parse(shown?.text ?? '')));
  });

  it('answers with 401 in a terminal that does not know the token', async () => {
    expect((await send(page, port)).status).toBe(401);
  });
});

describe('the application of docs/getting-started.md', () => {
  it('lists its tool when asked by curl (VER-04)', async () => {
    const page = 'docs/getting-started.md';
    const { program, port } = await startApplication(page);
    const answer: unknown = await (await send(page, port)).json();
    await program.stop();
    expect(answer).toMatchObject({ result: { tools: [{ name: 'find_orders' }] } });
  });
});

/** Puts the kind of each value in its place: the dice differ. */
function describeShape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(describeShape);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, describeShape(member)]));
}
