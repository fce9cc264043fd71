import { beforeEach, describe, expect, it } from '@jest/globals';
import { ResourcesReadMethod } from '../../../../lib/server/methods/resources-read.method.js';
import { REVISIONS } from '../../../../lib/core/protocol/revisions.js';
import type { McpOptions } from '../../../../lib/server/settings/mcp-options.js';
import { TestCatalog } from '../../support/catalog.js';
import { buildContext, buildPeer, type Json } from '../../support/requests.js';
import { buildLimits } from '../../support/limits.js';
import { buildSettings } from '../../support/settings.js';
import { InputRounds } from '../../../../lib/server/input-requests/input-rounds.js';

describe('resources/read (MCP server/resources)', () => {
  let catalog: TestCatalog;

  beforeEach(() => {
    catalog = new TestCatalog();
  });

  function read(params: Json, version?: string, options: Partial<McpOptions> = {}) {
    const method = new ResourcesReadMethod(
      catalog.resourceAccess,
      new InputRounds(),
      buildSettings(options),
      catalog.visibility,
      buildLimits(),
    );
    return method.handle(buildContext('resources/read', { params, peer: buildPeer(version) }));
  }

  it('reads a resource by its URI (CORE-03)', async () => {
    catalog.entries.resources.add({ name: 'faq', uri: 'desk://faq', mimeType: 'text/markdown' }, (args) =>
      JSON.stringify(args),
    );
    const contents = [{ uri: 'desk://faq', mimeType: 'text/markdown', text: '{"uri":"desk://faq"}' }];
    expect(await read({ uri: 'desk://faq' }, '2025-11-25')).toEqual({ contents });
  });

  it('reads by a template, with what the URI gives for its variables (CORE-03)', async () => {
    catalog.entries.resourceTemplates.add(
      { name: 'ticket', uriTemplate: 'desk://tickets/{id}' },
      (args) => args,
    );
    const result = await read({ uri: 'desk://tickets/7%20a' });
    expect(result).toMatchObject({
      contents: [
        {
          uri: 'desk://tickets/7%20a',
          mimeType: 'application/json',
          text: '{"id":"7 a","uri":"desk://tickets/7%20a"}',
        },
      ],
    });
  });

  it('prefers a resource of that URI to a template (CORE-03)', async () => {
    catalog.entries.resourceTemplates.add(
      { name: 'ticket', uriTemplate: 'desk://tickets/{id}' },
      () => 'template',
    );
    catalog.entries.resources.add({ name: 'first', uri: 'desk://tickets/1' }, () => 'resource');
    expect(await read({ uri: 'desk://tickets/1' })).toMatchObject({ contents: [{ text: 'resource' }] });
  });

  it.each(REVISIONS)(
    'answers $version with its own code for what does not exist (CORE-03)',
    async (revision) => {
      const { version, resourceNotFoundCode: code } = revision;
      catalog.entries.resourceTemplates.add(
        { name: 'ticket', uriTemplate: 'desk://tickets/{id}' },
        () => undefined,
      );
      catalog.entries.resources.add({ name: 'empty', uri: 'desk://empty' }, () => ({ contents: [] }));
      for (const uri of ['desk://gone', 'desk://tickets/1', 'desk://empty', '', '__proto__']) {
        await expect(read({ uri }, version)).rejects.toMatchObject({ code, data: { uri } });
      }
    },
  );

  it.each([undefined, 7, null, ['desk://1']])('answers the URI %j with -32602 (CORE-01)', async (uri) => {
    await expect(read({ uri })).rejects.toMatchObject({ code: -32602 });
  });

  it("says how long it may be kept: the resource's own hint, else the server's (VER-05)", async () => {
    catalog.entries.resources.add({ name: 'a', uri: 'desk://a' }, () => 'x');
    const cache = { ttlMs: 5000, scope: 'public' as const };
    catalog.entries.resources.add({ name: 'b', uri: 'desk://b', cache }, () => 'x');
    const options = { cache: { resourceContents: { ttlMs: 7, scope: 'private' as const } } };
    expect(await read({ uri: 'desk://a' }, undefined, options)).toMatchObject({
      ttlMs: 7,
      cacheScope: 'private',
    });
    expect(await read({ uri: 'desk://b' }, undefined, options)).toMatchObject({
      ttlMs: 5000,
      cacheScope: 'public',
    });
    expect(await read({ uri: 'desk://b' }, '2025-11-25', options)).not.toHaveProperty('ttlMs');
  });
});
