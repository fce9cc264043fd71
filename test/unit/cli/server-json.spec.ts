import { describe, expect, it } from '@jest/globals';
import { buildServerJson, readRepository } from '../../../cli/server-json/build-server-json.js';
import { listDifferences } from '../../../cli/server-json/list-differences.js';
import { ServerJsonError } from '../../../cli/server-json/server-json.error.js';
import type { PackageManifest } from '../../../cli/server-json/server-json-files.js';
import type { ServerCard, ServerDescription } from '../../../lib/index.js';
import { expectValid } from '../../support/card-schemas.js';

const REMOTE = 'https://desk.example.com/mcp';

const CARD: ServerCard = {
  $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
  name: 'com.example.desk/desk',
  version: '1.2.3',
  description: 'Keeps tickets',
  title: 'The desk',
  remotes: [
    { type: 'streamable-http', url: REMOTE, supportedProtocolVersions: ['2026-07-28'] },
    { type: 'sse', url: 'https://desk.example.com/sse', supportedProtocolVersions: ['2024-11-05'] },
  ],
};

const MANIFEST: PackageManifest = {
  name: '@example/desk',
  version: '1.2.3',
  mcpName: 'io.github.example/desk',
  bin: 'dist/stdio.js',
  homepage: 'https://example.com/desk',
  repository: { type: 'git', url: 'git+https://github.com/example/desk.git', directory: './server/' },
};

function describeServer(parts: Partial<ServerDescription> = {}, card: Partial<ServerCard> = {}) {
  return {
    server: 'default',
    card: { ...CARD, ...card },
    isServed: true,
    isNamed: false,
    description: CARD.description,
    environmentVariables: [],
    ...parts,
  };
}

function readComplaints(described: ServerDescription, manifest: PackageManifest): readonly string[] {
  try {
    buildServerJson(described, manifest);
    return [];
  } catch (error) {
    if (!(error instanceof ServerJsonError)) throw error;
    return error.complaints;
  }
}

describe('"server.json"', () => {
  it('has what the settings and "package.json" say (XTN-05)', () => {
    const environmentVariables = [{ name: 'DESK_KEY', isRequired: true, isSecret: true }];
    const document = buildServerJson(describeServer({ environmentVariables }), MANIFEST);
    expectValid('serverJson', document);
    expect(document).toEqual({
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      name: 'io.github.example/desk',
      description: 'Keeps tickets',
      title: 'The desk',
      version: '1.2.3',
      websiteUrl: 'https://example.com/desk',
      repository: { url: 'https://github.com/example/desk', source: 'github', subfolder: 'server' },
      remotes: [
        { type: 'streamable-http', url: REMOTE },
        { type: 'sse', url: 'https://desk.example.com/sse' },
      ],
      packages: [
        {
          registryType: 'npm',
          registryBaseUrl: 'https://registry.npmjs.org',
          identifier: '@example/desk',
          version: '1.2.3',
          runtimeHint: 'npx',
          transport: { type: 'stdio' },
          environmentVariables,
        },
      ],
    });
  });

  it('has the headers of the card, and what the card says before "package.json" (XTN-05)', () => {
    const headers = [{ name: 'X-Tenant', isRequired: true }];
    const remotes = CARD.remotes?.map((remote) => ({ ...remote, headers }));
    const repository = { url: 'https://gitlab.com/example/desk', source: 'gitlab' };
    const card = { ...(remotes && { remotes }), repository, websiteUrl: 'https://desk.example.com' };
    const document = buildServerJson(describeServer({}, card), MANIFEST);
    expectValid('serverJson', document);
    expect(document).toMatchObject({
      repository,
      websiteUrl: 'https://desk.example.com',
      remotes: [{ headers }, { headers }],
    });
  });

  it.each([
    ['no package that is private', { ...MANIFEST, private: true }],
    ['no package without a command', { ...MANIFEST, bin: undefined }],
  ])('lists %s (XTN-05)', (_what, manifest) => {
    const document = buildServerJson(describeServer(), manifest);
    expectValid('serverJson', document);
    expect(document).not.toHaveProperty('packages');
    expect(document.remotes).toHaveLength(2);
  });

  it('lists no remote that others cannot reach (XTN-05)', () => {
    const local = {
      type: 'streamable-http',
      url: 'http://localhost:3000/mcp',
      supportedProtocolVersions: [],
    } as const;
    const document = buildServerJson(describeServer({}, { remotes: [local] }), MANIFEST);
    expectValid('serverJson', document);
    expect(document).not.toHaveProperty('remotes');
  });

  it('leaves out icons that the registry refuses (XTN-05)', () => {
    const taken = { src: 'https://desk.example.com/icon.png', mimeType: 'image/png', sizes: ['48x48'] };
    const icons = [
      taken,
      { src: 'data:image/png;base64,AAAA' },
      { src: 'https://a.example/i.ico', mimeType: 'image/x-icon' },
    ];
    const document = buildServerJson(describeServer({}, { icons }), MANIFEST);
    expectValid('serverJson', document);
    expect(document.icons).toEqual([taken]);
  });

  it('takes its description from "package.json" where the settings have none (XTN-05)', () => {
    const described = describeServer({ description: 'desk' }, { description: 'desk' });
    const manifest = { ...MANIFEST, description: 'Tickets for all' };
    expect(buildServerJson(described, manifest).description).toBe('Tickets for all');
    expect(buildServerJson(described, MANIFEST).description).toBe('desk');
  });

  it.each([
    ['with words', 'The desk of all', 'com.example/The-desk-of-all'],
    ['in reverse-DNS form', 'com.example/desk', 'com.example/desk'],
  ])('takes no name %s for a description (XTN-05)', (_, said, name) => {
    const { title: _title, ...card } = { ...CARD, name, description: said };
    const described = { ...describeServer({ description: said, isNamed: true }), card };
    const manifest = { ...MANIFEST, mcpName: name, description: 'Tickets for all' };
    expect(buildServerJson(described, manifest).description).toBe('Tickets for all');
  });

  it('is named after the repository if nobody has named it (XTN-05)', () => {
    const manifest = { ...MANIFEST, mcpName: undefined, bin: undefined };
    expect(buildServerJson(describeServer(), manifest).name).toBe(
      `io.github.example/${CARD.name.split('/')[1]}`,
    );
  });

  it.each<readonly [string, ServerDescription, PackageManifest, string]>([
    [
      'a name',
      describeServer(),
      { ...MANIFEST, mcpName: undefined, bin: undefined, repository: undefined },
      '"mcpName" is missing in "package.json"',
    ],
    [
      'a name in the package',
      describeServer({ isNamed: true }),
      { ...MANIFEST, mcpName: undefined },
      'the registry uses to verify package ownership',
    ],
    [
      'a reverse-DNS name',
      describeServer(),
      { ...MANIFEST, mcpName: 'desk' },
      '"mcpName" in "package.json" must be a name',
    ],
    ['one name', describeServer({ isNamed: true }), MANIFEST, 'use the same name'],
    ['one version', describeServer(), { ...MANIFEST, version: '2.0.0' }, '"serverInfo.version" is "1.2.3"'],
    [
      'a version that is no range',
      describeServer({}, { version: '^1.0.0' }),
      { ...MANIFEST, version: '^1.0.0' },
      'instead of a range',
    ],
    [
      'a short description',
      describeServer({ description: 'x'.repeat(101) }),
      MANIFEST,
      'The description has 101 characters',
    ],
    [
      'a way to the server',
      describeServer({}, { remotes: [] }),
      { ...MANIFEST, private: true },
      'Clients cannot reach the server',
    ],
  ])('is not made without %s (XTN-05)', (_what, described, manifest, complaint) => {
    expect(readComplaints(described, manifest)).toEqual([expect.stringContaining(complaint)]);
  });

  it('is refused with all that is wrong at once (XTN-05)', () => {
    const manifest = { name: 'desk', version: '0', private: true };
    const described = describeServer({ description: 'x'.repeat(200) }, { remotes: [] });
    expect(readComplaints(described, manifest)).toHaveLength(4);
  });
});

describe('readRepository()', () => {
  const at = (path: string, source = 'github', host = 'github.com') => ({
    url: `https://${host}/${path}`,
    source,
  });

  it.each([
    ['example/desk', at('example/desk')],
    ['github:example/desk', at('example/desk')],
    ['gitlab:example/desk', at('example/desk', 'gitlab', 'gitlab.com')],
    ['git+https://github.com/example/desk.git', at('example/desk')],
    ['git+ssh://git@github.com/example/desk.git', at('example/desk')],
    ['git@gitlab.com:example/desk.git', at('example/desk', 'gitlab', 'gitlab.com')],
    ['git://github.com/example/desk.git#main', at('example/desk')],
    ['https://user:secret@git.example.com/desk', at('desk', 'git.example.com', 'git.example.com')],
    ['../desk', undefined],
    ['file:///desk', undefined],
    [undefined, undefined],
  ])('reads %s (XTN-05)', (given, expected) => {
    expect(readRepository(given)).toEqual(expected);
    expect(readRepository({ url: given })).toEqual(expected);
  });
});

describe('listDifferences()', () => {
  it('names the members that differ, whatever their order, and leaves "_meta" to its writer (XTN-05)', () => {
    const wanted = { name: 'a/b', version: '1', remotes: [{ type: 'sse', url: 'u' }] };
    const same = { remotes: [{ url: 'u', type: 'sse' }], version: '1', name: 'a/b', _meta: { by: 'hand' } };
    expect(listDifferences(same, wanted)).toEqual([]);
    expect(listDifferences({ ...same, version: '2', title: 'x' }, wanted)).toEqual(['version', 'title']);
    expect(listDifferences(undefined, wanted)).toEqual(['name', 'version', 'remotes']);
  });
});
