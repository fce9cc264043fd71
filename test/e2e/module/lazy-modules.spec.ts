import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module, UseGuards, type CanActivate } from '@nestjs/common';
import { LazyModuleLoader } from '@nestjs/core';
import { Complete, McpModule, Prompt, Tool } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { entriesOf } from '../../support/clients/entries.js';
import { initialize, type SessionClient } from '../../support/clients/json-rpc.js';

@Injectable()
class EagerTools {
  @Tool()
  eager() {
    return 'eager';
  }
}

@Injectable()
class Clock {
  readonly time = 'noon';
}

@Injectable()
class ClosedGuard implements CanActivate {
  canActivate() {
    return false;
  }
}

@Injectable()
class LazyHandlers {
  constructor(private readonly clock: Clock) {}

  @Tool()
  lazy() {
    return this.clock.time;
  }

  @Tool()
  @UseGuards(ClosedGuard)
  closed() {
    return 'open';
  }

  @Prompt({ arguments: [{ name: 'town' }] })
  greet({ town }: { town: string }) {
    return `Greet ${town}`;
  }

  @Complete({ prompt: 'greet', argument: 'town' })
  complete() {
    return ['Ulm'];
  }
}

@Module({ providers: [LazyHandlers, Clock] })
class LazyModule {}

@Injectable()
class AdminTools {
  @Tool()
  administer() {
    return 'done';
  }
}

@Module({
  imports: [McpModule.forFeature({ server: 'admin', providers: [AdminTools] })],
  providers: [AdminTools],
})
class LazyAdminModule {}

@Injectable()
class TakenTools {
  @Tool()
  eager() {
    return 'another';
  }
}

@Module({ providers: [TakenTools] })
class TakenModule {}

const admin = McpModule.forRoot({
  server: 'admin',
  mcpPath: '/admin',
  serverInfo: { name: 'admin', version: '1.0.0' },
});

describe.each(ADAPTERS)('a module that is loaded lazily, on %s', (adapter) => {
  let desk: RunningApp;
  let session: SessionClient;

  beforeEach(async () => {
    desk = await bootServer({ adapter, imports: [admin], providers: [EagerTools] });
    session = await initialize(desk.url);
  });

  afterEach(() => desk.close());

  const load = (module: new () => object) =>
    desk.app.get(LazyModuleLoader).load(() => module, { logger: false });

  async function listTools(path = ''): Promise<readonly unknown[]> {
    const client = path === '' ? session : await initialize(new URL(path, desk.url).href);
    const { result } = await client.request('tools/list');
    return entriesOf(result, 'tools').map(({ name }) => name);
  }

  it('adds its handlers (MOD-01)', async () => {
    await load(LazyModule);
    expect(await listTools()).toEqual(['eager', 'lazy', 'closed']);
    const { result } = await session.request('tools/call', { name: 'lazy' });
    expect(result).toMatchObject({ content: [{ text: 'noon' }] });
  });

  it('adds them once, however often it is loaded (MOD-01)', async () => {
    await Promise.all([load(LazyModule), load(LazyModule)]);
    await load(LazyModule);
    expect(await listTools()).toEqual(['eager', 'lazy', 'closed']);
  });

  it('keeps its guards (MOD-03)', async () => {
    await load(LazyModule);
    const { result } = await session.request('tools/call', { name: 'closed' });
    expect(result).toMatchObject({ isError: true, content: [{ text: 'Forbidden resource' }] });
  });

  it('completes its prompts (CORE-03)', async () => {
    await load(LazyModule);
    const { result } = await session.request('completion/complete', {
      ref: { type: 'ref/prompt', name: 'greet' },
      argument: { name: 'town', value: '' },
    });
    expect(result).toMatchObject({ completion: { values: ['Ulm'] } });
  });

  it('says to which server its classes belong (MOD-05)', async () => {
    await load(LazyAdminModule);
    expect(await listTools('/admin')).toEqual(['administer']);
    expect(await listTools()).toEqual(['eager']);
  });

  it('is refused by name if it cannot be served (CORE-08)', async () => {
    await expect(load(TakenModule)).rejects.toThrow(
      '@Tool() on "TakenTools.eager": The tool "eager" is already used by @Tool() on "EagerTools.eager"',
    );
  });
});
