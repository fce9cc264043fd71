import { describe, expect, it } from '@jest/globals';
import type {
  Annotations,
  Implementation,
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
  ToolDefinition,
} from '../../../../../lib/core/protocol/definitions.js';
import {
  encodeAnnotations,
  encodeImplementation,
  encodePrompt,
  encodeResource,
  encodeResourceTemplate,
  encodeTool,
} from '../../../../../lib/core/protocol/encoding/encode-definition.js';
import { REVISIONS, type Revision } from '../../../../../lib/core/protocol/revisions.js';

const ICONS = [{ src: 'https://desk.example/icon.png', mimeType: 'image/png' }];
const SHARED = {
  name: 'desk',
  title: 'Desk',
  description: 'A desk',
  icons: ICONS,
  _meta: { 'x.example/a': 1 },
};
const ANNOTATIONS: Annotations = {
  audience: ['user'],
  priority: 0.5,
  lastModified: '2026-01-01T00:00:00Z',
  experimental: true,
};
const TOOL: ToolDefinition = {
  ...SHARED,
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object', properties: {} },
  annotations: { title: 'Desk', readOnlyHint: true, experimental: true },
  execution: { taskSupport: 'optional' },
};
const RESOURCE: ResourceDefinition = {
  ...SHARED,
  uri: 'desk://1',
  mimeType: 'text/plain',
  size: 7,
  annotations: ANNOTATIONS,
};
const TEMPLATE: ResourceTemplateDefinition = {
  ...SHARED,
  uriTemplate: 'desk://{id}',
  mimeType: 'text/plain',
  annotations: ANNOTATIONS,
};
const PROMPT: PromptDefinition = {
  ...SHARED,
  arguments: [{ name: 'who', title: 'Who', description: 'Whom to greet', required: true }],
  annotations: ANNOTATIONS,
};
const IMPLEMENTATION: Implementation = {
  name: 'desk',
  version: '1.0.0',
  title: 'Desk',
  description: 'A desk',
  websiteUrl: 'https://desk.example',
  icons: ICONS,
};

/** What goes over the wire. */
const write = (encoded: unknown) => JSON.parse(JSON.stringify(encoded)) as Record<string, unknown>;
const membersOf = (encoded: unknown) => Object.keys(write(encoded)).toSorted();

/** The members of each revision's published schema, in the order of the table. */
const MEMBERS: readonly [name: string, encode: (revision: Revision) => unknown, byRevision: string[]][] = [
  [
    'a tool',
    (revision) => encodeTool(TOOL, revision),
    [
      'annotations description inputSchema name',
      'annotations description inputSchema name',
      '_meta annotations description inputSchema name outputSchema title',
      '_meta annotations description execution icons inputSchema name outputSchema title',
      '_meta annotations description icons inputSchema name outputSchema title',
    ],
  ],
  [
    'a resource',
    (revision) => encodeResource(RESOURCE, revision),
    [
      'annotations description mimeType name size uri',
      'annotations description mimeType name size uri',
      '_meta annotations description mimeType name size title uri',
      '_meta annotations description icons mimeType name size title uri',
      '_meta annotations description icons mimeType name size title uri',
    ],
  ],
  [
    'a resource template',
    (revision) => encodeResourceTemplate(TEMPLATE, revision),
    [
      'annotations description mimeType name uriTemplate',
      'annotations description mimeType name uriTemplate',
      '_meta annotations description mimeType name title uriTemplate',
      '_meta annotations description icons mimeType name title uriTemplate',
      '_meta annotations description icons mimeType name title uriTemplate',
    ],
  ],
  [
    'a prompt',
    (revision) => encodePrompt(PROMPT, revision),
    [
      'annotations arguments description name',
      'annotations arguments description name',
      '_meta annotations arguments description name title',
      '_meta annotations arguments description icons name title',
      '_meta annotations arguments description icons name title',
    ],
  ],
  [
    'an argument of a prompt',
    (revision) => (write(encodePrompt(PROMPT, revision))['arguments'] as unknown[])[0],
    [
      'description name required',
      'description name required',
      'description name required title',
      'description name required title',
      'description name required title',
    ],
  ],
  [
    'an implementation',
    (revision) => encodeImplementation(IMPLEMENTATION, revision),
    [
      'name version',
      'name version',
      'name title version',
      'description icons name title version websiteUrl',
      'description icons name title version websiteUrl',
    ],
  ],
];

const MATRIX = MEMBERS.flatMap(([name, encode, byRevision]) =>
  REVISIONS.map((revision, index) => ({
    name,
    version: revision.version,
    encoded: encode(revision),
    members: byRevision[index]?.split(' '),
  })),
);

describe('The encoding of definitions', () => {
  it.each(MATRIX)(
    'shows of $name in $version what that revision defines (VER-03)',
    ({ encoded, members }) => {
      expect(membersOf(encoded)).toEqual(members);
    },
  );

  it.each(REVISIONS)(
    'keeps the mark "experimental" of every kind in $version (CORE-07, VER-03)',
    (revision) => {
      const encoded = [
        encodeTool(TOOL, revision),
        encodeResource(RESOURCE, revision),
        encodeResourceTemplate(TEMPLATE, revision),
        encodePrompt(PROMPT, revision),
      ];
      for (const one of encoded) expect(write(one)['annotations']).toMatchObject({ experimental: true });
    },
  );

  it("shows of a tool's annotations nothing but that mark before 2025-03-26 (VER-03)", () => {
    const [first] = REVISIONS;
    expect(write(encodeTool(TOOL, first!))['annotations']).toEqual({ experimental: true });
    const unmarked = { ...TOOL, annotations: { readOnlyHint: true } };
    expect(write(encodeTool(unmarked, first!))).not.toHaveProperty('annotations');
  });

  it.each(REVISIONS)('dates annotations in $version only where it has dates (VER-03)', (revision) => {
    const { lastModified, ...undated } = ANNOTATIONS;
    expect(encodeAnnotations(ANNOTATIONS, revision)).toEqual(
      revision.defines.lastModified ? { ...undated, lastModified } : undated,
    );
    expect(encodeAnnotations(undefined, revision)).toBeUndefined();
  });

  it.each(REVISIONS)(
    'shows in $version an output schema that is no object where any may be (VER-03)',
    (revision) => {
      const tool = encodeTool({ ...TOOL, outputSchema: { type: 'array' } }, revision);
      expect('outputSchema' in write(tool)).toBe(revision.version >= '2026-07-28');
    },
  );

  it('writes no member that was not given (VER-03)', () => {
    const newest = REVISIONS.at(-1)!;
    const name = 'bare';
    expect(membersOf(encodeTool({ name, inputSchema: { type: 'object' } }, newest))).toEqual([
      'inputSchema',
      'name',
    ]);
    expect(membersOf(encodeResource({ name, uri: 'desk://1' }, newest))).toEqual(['name', 'uri']);
    expect(membersOf(encodeResourceTemplate({ name, uriTemplate: 'desk://{id}' }, newest))).toEqual([
      'name',
      'uriTemplate',
    ]);
    expect(membersOf(encodePrompt({ name }, newest))).toEqual(['name']);
    expect(membersOf(encodeImplementation({ name, version: '1' }, newest))).toEqual(['name', 'version']);
  });

  it('changes no definition (VER-03)', () => {
    const before = JSON.stringify([TOOL, RESOURCE, TEMPLATE, PROMPT, IMPLEMENTATION]);
    for (const [, encode] of MEMBERS) for (const revision of REVISIONS) encode(revision);
    expect(JSON.stringify([TOOL, RESOURCE, TEMPLATE, PROMPT, IMPLEMENTATION])).toBe(before);
  });
});
