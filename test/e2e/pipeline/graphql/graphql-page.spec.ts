import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { GraphQLModule } from '@nestjs/graphql';
import { ThrottlerModule } from '@nestjs/throttler';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import passport from 'passport';
import { ADAPTERS, type AdapterName, type RunningApp } from '../../../support/applications/boot.js';
import { bootServer } from '../../../support/applications/server.js';
import { ROOT, writeProgram } from '../../docs/snippets.js';
import { callTool } from '../tool-text.js';

const FOLDER = join(ROOT, `.build/graphql-page-${process.env['JEST_WORKER_ID'] ?? 0}`);

const USERS: { readonly [token: string]: object } = {
  ada: { name: 'Ada', teams: ['1', '2'] },
  bob: { name: 'Bob', teams: [] },
};

class TokenStrategy extends passport.Strategy {
  override readonly name = 'bearer';

  override authenticate(request: {
    readonly headers: { readonly authorization?: string | undefined };
  }): void {
    const user = USERS[request.headers.authorization?.replace('Bearer ', '') ?? ''];
    if (user === undefined) return this.fail(401);
    return this.success(user);
  }
}

const as = (token: string) => ({ authorization: `Bearer ${token}` });

/** Apollo on Fastify needs a package more; what is compared with queries is the tools on Express. */
const graphql = GraphQLModule.forRoot<ApolloDriverConfig>({
  driver: ApolloDriver,
  autoSchemaFile: true,
  playground: false,
  context: (exchange: object) => exchange,
});

describe.each(ADAPTERS)('The resolver of docs/pipeline.md, on %s', (adapter: AdapterName) => {
  let desk: RunningApp;

  beforeAll(async () => {
    passport.use(new TokenStrategy());
    writeProgram(FOLDER, 'docs/pipeline.md');
    const { TeamResolver } = (await import(join(FOLDER, 'graphql.ts'))) as { readonly TeamResolver: Type };
    desk = await bootServer({
      adapter,
      imports: [
        ThrottlerModule.forRoot([{ ttl: 60_000, limit: 6 }]),
        ...(adapter === 'express' ? [graphql] : []),
      ],
      providers: [TeamResolver],
    });
  });

  afterAll(async () => {
    await desk.close();
    passport.unuse('bearer');
  });

  const ask = async (token: string, query: string): Promise<unknown> => {
    const headers = { ...as(token), 'content-type': 'application/json' };
    const answer = await fetch(`${desk.origin}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query }),
    });
    return answer.json();
  };

  it('knows the user of its guard by the context of GraphQL (NEST-08)', async () => {
    expect(await callTool(desk.url, 'whoami', {}, as('ada'))).toMatchObject({ text: 'Ada' });
    expect(await callTool(desk.url, 'whoami', {}, as('eve'))).toMatchObject({
      isError: true,
      text: 'Unauthorized',
    });
    if (adapter === 'fastify') return;
    expect(await ask('ada', '{ whoami }')).toEqual({ data: { whoami: 'Ada' } });
  });

  it('has its guard read the arguments of the call, and maps its errors (NEST-08)', async () => {
    const rename = (token: string, id: string) =>
      callTool(desk.url, 'renameTeam', { id, name: 'Lights' }, as(token));
    expect(await rename('bob', '1')).toMatchObject({ isError: true, text: 'Forbidden resource' });
    expect(JSON.parse((await rename('ada', '1')).text)).toEqual({ id: '1', name: 'Lights' });
    expect(await rename('ada', '2')).toMatchObject({ isError: true, text: 'team/not_found' });
    if (adapter === 'fastify') return;
    const mutation = 'mutation { renameTeam(id: "2", name: "Lights") { name } }';
    expect(await ask('ada', mutation)).toMatchObject({ errors: [{ message: 'team/not_found' }] });
    expect(await ask('bob', mutation)).toMatchObject({ errors: [{ message: 'Forbidden resource' }] });
  });

  it('has its throttler count calls, and tell what is left in headers (NEST-08)', async () => {
    const rename = () => callTool(desk.url, 'renameTeam', { id: '1', name: 'Lamps' }, as('ada'));
    const { headers } = await rename();
    expect(headers['x-ratelimit-limit']).toBe('6');
    const left = Number(headers['x-ratelimit-remaining']);
    for (let call = 0; call < left; call += 1) await rename();
    await expect(rename()).rejects.toThrow('Too Many Requests');
  });
});
