import { afterEach, describe, expect, it } from '@jest/globals';
import { discoverMcpAuth, type McpAuthInfo } from 'nestjs-mcp/client';
import { Landscape, PATHS } from '../../support/authorization/landscape.js';
import { hang, json, redirect, status, type Party, type Reply } from '../../support/authorization/party.js';

const [FIRST, SECOND, THIRD] = PATHS.candidates;

/** A place where discovery looks, whose answer is the matter of a test. */
interface Rung {
  readonly rung: string;
  readonly path: string;
  readonly at: 'server' | 'issuer';
  readonly kind: 'resource' | 'issuer';
  readonly isAdvertised?: true;
  /** What is asked for before, at the same party. */
  readonly before: readonly string[];
  /** Whether the steps after it are open: it is asked for in vain, and then? */
  readonly after404: 'an error' | 'the next rung';
}

const RUNGS: readonly Rung[] = [
  {
    rung: 'the URL in the header',
    path: PATHS.advertised,
    at: 'server',
    kind: 'resource',
    isAdvertised: true,
    before: [],
    after404: 'an error',
  },
  {
    rung: 'the form with the path',
    path: PATHS.pathForm,
    at: 'server',
    kind: 'resource',
    before: [],
    after404: 'the next rung',
  },
  {
    rung: 'the form at the root',
    path: PATHS.rootForm,
    at: 'server',
    kind: 'resource',
    before: [PATHS.pathForm],
    after404: 'the next rung',
  },
  {
    rung: 'the metadata at the origin',
    path: PATHS.atOrigin,
    at: 'server',
    kind: 'issuer',
    before: [PATHS.pathForm, PATHS.rootForm],
    after404: 'the next rung',
  },
  {
    rung: 'the first candidate',
    path: FIRST,
    at: 'issuer',
    kind: 'issuer',
    before: [],
    after404: 'the next rung',
  },
  {
    rung: 'the second candidate',
    path: SECOND,
    at: 'issuer',
    kind: 'issuer',
    before: [FIRST],
    after404: 'the next rung',
  },
  {
    rung: 'the third candidate',
    path: THIRD,
    at: 'issuer',
    kind: 'issuer',
    before: [FIRST, SECOND],
    after404: 'an error',
  },
];

let land: Landscape;

afterEach(() => land.stop());

async function arrive(scheme?: 'https'): Promise<void> {
  land = await Landscape.start(scheme);
}

function partyOf({ at }: Rung): Party {
  return land[at];
}

/** Has every rung but this one work as far as it is asked for after it, and what stands before it say that it is not there. */
function prepare(rung: Rung, reply: Reply): void {
  const { server, issuer } = land;
  const resource = json(land.resourceMetadata());
  const later = [PATHS.pathForm, PATHS.rootForm].filter((path) => !rung.before.includes(path));
  const isAtOrigin = rung.path === PATHS.atOrigin;
  if (!isAtOrigin) for (const path of later) server.at(path, resource);
  server.at(PATHS.atOrigin, json(land.metadataAtOrigin()));
  for (const path of PATHS.candidates) {
    if (!rung.before.includes(path)) issuer.at(path, json(land.serverMetadata()));
  }
  partyOf(rung).at(rung.path, reply);
}

/** What a rung should answer. */
function documentOf({ kind, at }: Rung): object {
  if (kind === 'resource') return land.resourceMetadata();
  return at === 'issuer' ? land.serverMetadata() : land.metadataAtOrigin();
}

function discover(rung: Rung, timeoutMs = 30_000): Promise<McpAuthInfo> {
  const resourceMetadataUrl = rung.isAdvertised && land.server.origin + rung.path;
  const challenge = resourceMetadataUrl === undefined ? {} : { challenge: { resourceMetadataUrl } };
  return discoverMcpAuth(land.serverUrl, { ...challenge, ...land.fetch, timeoutMs });
}

/** Everything that is asked for when this rung is the last. */
function askedUntil({ at, path, before }: Rung): readonly string[] {
  const first = at === 'issuer' ? [`server ${PATHS.pathForm}`] : [];
  return [...first, ...[...before, path].map((one) => `${at} ${one}`)];
}

/** The forms of one authorization server's metadata: whatever is none of it leads on to the next. */
const isForm = ({ at }: Rung) => at === 'issuer';

async function expectEnd(rung: Rung, code: string, timeoutMs?: number): Promise<void> {
  await expect(discover(rung, timeoutMs)).rejects.toMatchObject({ code });
  expect(land.asked).toEqual(askedUntil(rung));
}

describe.each(RUNGS)('Discovery (RFC 9728 §3, RFC 8414 §3) at $rung', (rung) => {
  if (rung.after404 === 'an error') {
    it('ends with an error for 404 (CLI-02) (CLI-03)', async () => {
      await arrive();
      prepare(rung, status(404));
      await expectEnd(rung, 'discovery_failed');
    });
  } else {
    it('goes on for 404 (CLI-02) (CLI-04)', async () => {
      await arrive();
      prepare(rung, status(404));
      await expect(discover(rung)).resolves.toHaveProperty('authorizationServer.token_endpoint');
      const asked = askedUntil(rung);
      expect(land.asked.slice(0, asked.length)).toEqual(asked);
      expect(land.asked.length).toBeGreaterThan(asked.length - (rung.path === PATHS.atOrigin ? 1 : 0));
    });
  }

  it.each([203, 408, 425, 429, ...(isForm(rung) ? [] : [400, 401, 403, 410, 500, 503])])(
    'ends with an error for %d, whatever comes along with it (CLI-03) (PEER-01)',
    async (code) => {
      await arrive();
      prepare(rung, json(documentOf(rung), code));
      await expectEnd(rung, 'discovery_failed');
    },
  );

  it('ends with an error where no answer comes in time (CLI-03)', async () => {
    await arrive();
    prepare(rung, hang());
    await expectEnd(rung, 'discovery_failed', 400);
  });

  it('ends with an error where the connection is cut off (CLI-03)', async () => {
    await arrive();
    prepare(rung, (response) => response.destroy());
    await expectEnd(rung, 'discovery_failed');
  });

  it('ends with an error where the certificate is not to be trusted (CLI-03)', async () => {
    await arrive('https');
    prepare(rung, json({}));
    const party = partyOf(rung);
    const last = rung.before.at(-1);
    if (last === undefined) party.changeCertificate();
    else
      party.at(last, (response, seen) => {
        party.changeCertificate();
        status(404)(response, seen);
      });
    const message = expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT');
    await expect(discover(rung)).rejects.toMatchObject({ code: 'discovery_failed', message });
    expect(land.asked).toEqual(askedUntil(rung).slice(0, -1));
  });

  if (!isForm(rung)) {
    it.each([
      ['what is cut off', json('{"resource":')],
      ['a list', json([])],
      ['a page', status(200)],
    ])('ends with an error where it sends %s in the place of JSON (CLI-03) (PEER-01)', async (_, reply) => {
      await arrive();
      prepare(rung, reply);
      await expectEnd(rung, 'discovery_failed');
    });
  }

  it('ends with an error where it sends a document about another resource (CLI-03) (CLI-05)', async () => {
    await arrive();
    prepare(rung, json(land.resourceMetadata({ resource: 'https://elsewhere.example.com/mcp' })));
    await expectEnd(rung, rung.kind === 'resource' ? 'resource_mismatch' : 'issuer_mismatch');
  });

  it('ends with an error where it leads to metadata of another issuer (CLI-03) (CLI-04)', async () => {
    await arrive();
    const wrong = json(land.serverMetadata({ issuer: `${land.issuerUrl}/` }));
    prepare(rung, rung.kind === 'issuer' ? wrong : json(land.resourceMetadata()));
    if (rung.kind === 'resource') land.issuer.at(FIRST, wrong);
    await expect(discover(rung)).rejects.toMatchObject({ code: 'issuer_mismatch' });
    const asked = rung.kind === 'issuer' ? askedUntil(rung) : [...askedUntil(rung), `issuer ${FIRST}`];
    expect(land.asked).toEqual(asked);
  });

  it.each([301, 302, 303, 307, 308])(
    'ends with an error where it redirects to another origin by %d, which is not asked (CLI-03) (CLI-10)',
    async (code) => {
      await arrive();
      prepare(rung, redirect(land.stranger.origin + rung.path, code));
      await expectEnd(rung, 'discovery_failed');
    },
  );
});
