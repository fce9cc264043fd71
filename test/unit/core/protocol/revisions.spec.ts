import { describe, expect, it } from '@jest/globals';
import {
  findRevision,
  NEWEST_HANDSHAKE_REVISION,
  PER_REQUEST_VERSIONS,
  REVISIONS,
  selectHandshakeRevision,
  type RevisionMembers,
} from '../../../../lib/core/protocol/revisions.js';

const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];

const IN_ALL = [
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
];
const IN_HANDSHAKES = [
  'initialize',
  'ping',
  'resources/subscribe',
  'resources/unsubscribe',
  'logging/setLevel',
];

/** Members by the revision that began to define them, as the published schemas have it. */
const SINCE: Readonly<Record<keyof RevisionMembers, string>> = {
  toolAnnotations: '2025-03-26',
  audio: '2025-03-26',
  completionsCapability: '2025-03-26',
  progressMessage: '2025-03-26',
  title: '2025-06-18',
  outputSchema: '2025-06-18',
  structuredContent: '2025-06-18',
  definitionMeta: '2025-06-18',
  lastModified: '2025-06-18',
  resourceLink: '2025-06-18',
  elicitation: '2025-06-18',
  urlElicitation: '2025-11-25',
  formDefaults: '2025-11-25',
  titledChoices: '2025-11-25',
  multipleChoices: '2025-11-25',
  samplingTools: '2025-11-25',
  samplingContentLists: '2025-11-25',
  icons: '2025-11-25',
  implementationDescription: '2025-11-25',
  taskExecution: '2025-11-25',
  tasksCapability: '2025-11-25',
  elicitationId: '2025-11-25',
  resultType: '2026-07-28',
  cacheHints: '2026-07-28',
  resultServerInfo: '2026-07-28',
};
const ONLY_IN_2025_11 = new Set(['taskExecution', 'tasksCapability', 'elicitationId']);

describe('The revision table', () => {
  it('has every published revision, oldest first (VER-01)', () => {
    expect(REVISIONS.map(({ version }) => version)).toEqual(VERSIONS);
    expect(REVISIONS.map(({ kind }) => kind)).toEqual([...Array<string>(4).fill('handshake'), 'perRequest']);
  });

  it.each(VERSIONS)('finds the row of %s by its version (VER-01)', (version) => {
    expect(findRevision(version)?.version).toBe(version);
  });

  it.each(['', '2025-11-26', '2025-11-25 ', 'latest', '__proto__', 'constructor'])(
    'has no row for %j (VER-01)',
    (version) => {
      expect(findRevision(version)).toBeUndefined();
    },
  );

  it.each(REVISIONS)('gives $version its methods and no others (CORE-03)', ({ kind, methods }) => {
    const own = kind === 'handshake' ? IN_HANDSHAKES : ['server/discover', 'subscriptions/listen'];
    expect([...methods].toSorted()).toEqual([...IN_ALL, ...own].toSorted());
  });

  it.each(REVISIONS)('says of each member whether $version defines it (VER-03)', ({ version, defines }) => {
    for (const [member, since] of Object.entries(SINCE)) {
      const isOver = ONLY_IN_2025_11.has(member) && version > '2025-11-25';
      const value = defines[member as keyof RevisionMembers];
      expect([member, value !== false && value !== 'none']).toEqual([member, version >= since && !isOver]);
    }
  });

  it.each([
    ['2024-11-05', 'none'],
    ['2025-03-26', 'none'],
    ['2025-06-18', 'object'],
    ['2025-11-25', 'object'],
    ['2026-07-28', 'any'],
  ])('lets structured content of %s be: %s (VER-03)', (version, kind) => {
    expect(findRevision(version)?.defines.structuredContent).toBe(kind);
  });

  it('has batches in 2025-03-26 alone (CORE-09)', () => {
    expect(REVISIONS.filter(({ batching }) => batching).map(({ version }) => version)).toEqual([
      '2025-03-26',
    ]);
  });

  it('begins event streams with an id in 2025-11-25 alone (HTTP-04)', () => {
    const priming = REVISIONS.filter(({ primingEvents }) => primingEvents);
    expect(priming.map(({ version }) => version)).toEqual(['2025-11-25']);
  });

  it.each(REVISIONS)('has the published codes of $version for what does not exist (CORE-01)', (revision) => {
    const isPerRequest = revision.kind === 'perRequest';
    expect(revision.resourceNotFoundCode).toBe(isPerRequest ? -32602 : -32002);
    expect(revision.methodNotFoundStatus).toBe(isPerRequest ? 404 : 200);
  });

  it('names to clients of the stateless wire what they may claim (VER-04)', () => {
    expect(PER_REQUEST_VERSIONS).toEqual(['2026-07-28']);
  });
});

describe('selectHandshakeRevision (MCP basic/lifecycle)', () => {
  it.each(VERSIONS.slice(0, 4))('echoes %s (VER-02)', (version) => {
    expect(selectHandshakeRevision(version).version).toBe(version);
  });

  it.each(['2026-07-28', '2023-01-01', '2099-01-01', '', 'latest', '__proto__'])(
    'answers %j with the newest revision that has a handshake (VER-02)',
    (version) => {
      expect(selectHandshakeRevision(version)).toBe(NEWEST_HANDSHAKE_REVISION);
    },
  );
});
