import { Injectable, Module, type DynamicModule, type Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { describe, expect, it } from '@jest/globals';
import type { CatalogContents } from '../../../../../lib/server/composition/create-catalog.js';
import { Tool } from '../../../../../lib/server/decorators/handler.decorators.js';
import { CATALOG_CONTENTS, FEATURE_ASSIGNMENT } from '../../../../../lib/server/settings/mcp.constants.js';
import { buildServerModule } from '../boot-catalog.js';

@Injectable()
class SearchTool {
  @Tool()
  search() {
    return 'found';
  }
}

@Injectable()
class AdminTools {
  @Tool()
  purge() {
    return 'purged';
  }
}

type Identity = { readonly server: string; readonly isDefault: boolean };
const server = (name: string, isDefault = false): Identity => ({ server: name, isDefault });
const assign = (key: string, ...providers: Type[]): DynamicModule => ({
  module: class FeatureModule {},
  providers: [{ provide: FEATURE_ASSIGNMENT, useValue: { server: key, providers } }],
});

/** Starts an application with several servers and gives the names of each one's tools. */
async function readTools(identities: Identity[], ...assignments: DynamicModule[]) {
  const servers = identities.map((identity) => buildServerModule(identity));
  @Module({ imports: [...servers, ...assignments], providers: [SearchTool, AdminTools] })
  class AppModule {}
  const app = (await Test.createTestingModule({ imports: [AppModule] }).compile()).createNestApplication();
  app.useLogger(false);
  await app.init();
  const tools = identities.map(({ server: name }, n) => {
    const contents = app.select(servers[n]!).get<CatalogContents>(CATALOG_CONTENTS, { strict: true });
    return [name, contents.registries.tools.list().map(({ key }) => key)];
  });
  await app.close();
  return Object.fromEntries(tools);
}

describe('The assignment of handlers to servers', () => {
  it('gives everything to the only server, whatever its key (MOD-05)', async () => {
    expect(await readTools([server('desk')])).toEqual({ desk: ['search', 'purge'] });
  });

  it('gives what "forFeature" names to that server alone (MOD-05)', async () => {
    const tools = await readTools([server('default'), server('admin')], assign('admin', AdminTools));
    expect(tools).toEqual({ default: ['search'], admin: ['purge'] });
  });

  it('prefers the server that is marked to the one keyed "default" (MOD-05)', async () => {
    const tools = await readTools([server('default'), server('desk', true)], assign('default', AdminTools));
    expect(tools).toEqual({ default: ['purge'], desk: ['search'] });
  });

  it('gives a class to each server it is assigned to (MOD-05)', async () => {
    const tools = await readTools(
      [server('desk', true), server('admin')],
      assign('admin', AdminTools),
      assign('desk', AdminTools),
    );
    expect(tools).toEqual({ desk: ['search', 'purge'], admin: ['purge'] });
  });

  it('fails for handlers that are no server’s, and names their class (MOD-05) (MOD-11)', async () => {
    await expect(readTools([server('desk'), server('admin')], assign('admin', AdminTools))).rejects.toThrow(
      'The handlers of "SearchTool" do not belong to any server: choose one with "McpModule.forFeature", or set "isDefault: true" on one of the servers',
    );
  });

  it('needs no default server when every class is assigned (MOD-05)', async () => {
    const tools = await readTools(
      [server('desk'), server('admin')],
      assign('admin', AdminTools),
      assign('desk', SearchTool),
    );
    expect(tools).toEqual({ desk: ['search'], admin: ['purge'] });
  });

  it('fails for an assignment to an unknown server (MOD-11)', async () => {
    await expect(readTools([server('desk')], assign('admin', AdminTools))).rejects.toThrow(
      '"McpModule.forFeature" names the server "admin", but the application has "desk": use one of these',
    );
  });

  it('fails for two servers with one key, and for two default servers (MOD-11)', async () => {
    await expect(readTools([server('desk'), server('desk')])).rejects.toThrow(
      'Two servers have the name "desk": import the module once, or give one of them a different name',
    );
    await expect(readTools([server('desk', true), server('admin', true)])).rejects.toThrow(
      'The servers "desk", "admin" are all marked "isDefault": mark only one of them',
    );
  });
});
