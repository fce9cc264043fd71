import { readdirSync, readFileSync } from 'node:fs';
import { NestFactory } from '@nestjs/core';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ComposedServer } from '../../../../lib/server/composition/composed-server.js';
import { McpModule } from '../../../../lib/server/mcp.module.js';
import { getParts } from '../../../support/applications/get-parts.js';
import { CapturedLog } from '../../support/captured-log.js';
import { SERVER_INFO } from '../../support/settings.js';

const HOOKS = [
  'onModuleInit',
  'onApplicationBootstrap',
  'onModuleDestroy',
  'beforeApplicationShutdown',
  'onApplicationShutdown',
] as const;

describe('The hooks of a composed server', () => {
  let calls: string[];
  let log: CapturedLog;

  beforeEach(() => {
    calls = [];
    log = CapturedLog.begin();
  });

  afterEach(() => log.release());

  /** A part with every hook, each of which takes a turn. */
  function createPart(name: string) {
    const note = async (hook: string): Promise<void> => {
      calls.push(`${name} begins ${hook}`);
      await new Promise(setImmediate);
      calls.push(`${name} ends ${hook}`);
    };
    return Object.fromEntries(HOOKS.map((hook) => [hook, () => note(hook)]));
  }

  const listOf = (hook: string, ...names: string[]) =>
    names.flatMap((name) => [`${name} begins ${hook}`, `${name} ends ${hook}`]);

  it.each(['onModuleInit', 'onApplicationBootstrap'] as const)(
    'are called in the order of the list, one after the other: %s (MOD-12)',
    async (hook) => {
      const server = new ComposedServer({
        first: { one: createPart('one'), two: createPart('two') },
        second: { three: createPart('three') },
      });
      await server[hook]();
      expect(calls).toEqual(listOf(hook, 'one', 'two', 'three'));
    },
  );

  it.each(['onModuleDestroy', 'beforeApplicationShutdown', 'onApplicationShutdown'] as const)(
    'are called in the reverse order at the end: %s (MOD-12)',
    async (hook) => {
      const server = new ComposedServer({
        first: { one: createPart('one'), two: createPart('two') },
        second: { three: createPart('three') },
      });
      await server[hook]();
      expect(calls).toEqual(listOf(hook, 'three', 'two', 'one'));
    },
  );

  it('are left to Nest for what it provides, and called once for what stands in two groups', async () => {
    const part = createPart('part');
    const server = new ComposedServer({
      first: { part, absent: undefined },
      second: { part },
      services: { service: createPart('service') },
    });
    await server.onModuleInit();
    expect(calls).toEqual(listOf('onModuleInit', 'part'));
  });

  it('end a start with the first that fails (MOD-11)', async () => {
    const failing = { onModuleInit: () => Promise.reject(new Error('the part is broken')) };
    const server = new ComposedServer({ parts: { failing, after: createPart('after') } });
    await expect(server.onModuleInit()).rejects.toThrow('the part is broken');
    expect(calls).toEqual([]);
  });

  it('go on at the end though one fails, which the log is told (MOD-12)', async () => {
    const failing = {
      onModuleDestroy: () => {
        throw new Error('the part is broken');
      },
    };
    const server = new ComposedServer({ parts: { before: createPart('before'), failing } });
    await server.onModuleDestroy();
    expect(calls).toEqual(listOf('onModuleDestroy', 'before'));
    expect(log.errors.join()).toContain('the part is broken');
  });

  it('of every class of the server are called: none is left out of the list', async () => {
    const module = {
      module: class AppModule {},
      imports: [McpModule.forRoot({ serverInfo: SERVER_INFO })],
    };
    const app = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
    const { services: _, ...groups } = getParts(app);
    await app.close();
    const parts = Object.values(groups).flatMap((group: object): unknown[] => Object.values(group));
    const listed = new Set(parts.map((part) => (part as object | undefined)?.constructor.name));
    expect(listHooked().filter((name) => !listed.has(name))).toEqual(UNLISTED);
  });
});

/** Nest calls the hooks of services; the others are there if options ask for them. */
const UNLISTED = ['ComposedServer', 'DistributedBus', 'DpopVerifier', 'McpInMemoryConnector', 'McpSessions'];

/** Lists the classes of the server that have hooks. */
function listHooked(): readonly string[] {
  const hook = new RegExp(`^ {2}(async )?(${HOOKS.join('|')})\\(`, 'm');
  return readdirSync('lib/server', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(`lib/server/${path}`, 'utf8'))
    .filter((text) => hook.test(text))
    .map((text) => {
      const [before = ''] = text.split(hook);
      return /class (\w+)/.exec(before.slice(before.lastIndexOf('\nexport class')))?.[1] ?? '';
    })
    .toSorted();
}
