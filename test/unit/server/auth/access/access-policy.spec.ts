import { describe, expect, it } from '@jest/globals';
import {
  AccessPolicy,
  type Authorization,
  type Requester,
} from '../../../../../lib/server/auth/access/access-policy.js';
import { DeclaredAccess } from '../../../../../lib/server/auth/access/declared-access.js';
import { RequiredAccess } from '../../../../../lib/server/auth/access/required-access.js';
import type { Authentication } from '../../../../../lib/server/context/authentication.js';
import { NO_AUTH } from '../../../../../lib/server/context/request-auth.js';
import type { RequestContext } from '../../../../../lib/server/context/request-context.js';
import type { AuthOptions } from '../../../../../lib/server/settings/auth/auth-options.js';
import { buildCaller, CHALLENGES, METADATA_URL } from '../../../support/caller.js';
import { TestCatalog } from '../../../support/catalog.js';
import { buildRequest } from '../../../support/requests.js';
import { buildSettings } from '../../../support/settings.js';

const TOKEN = 'a-fixed-token-of-the-desk';
const READER = buildCaller({ sub: 'ada', scopes: ['desk:read'] });
const WRITER = buildCaller({ sub: 'ada', scopes: ['desk:read', 'desk:write', 'desk:close'] });

function buildPlain(): TestCatalog {
  const catalog = new TestCatalog();
  catalog.entries.tools.add({ name: 'plain' }, () => '');
  return catalog;
}

/** A desk with a tool of each kind. */
function buildDesk(): TestCatalog {
  const catalog = buildPlain();
  const { tools } = catalog.entries;
  tools.add({ name: 'close', requiredScopes: ['desk:write', 'desk:close'] }, () => '');
  tools.add({ name: 'hours', isPublic: true }, () => '');
  return catalog;
}

/** Without options the server is open. */
function buildPolicy(auth?: Omit<AuthOptions, 'bearer'>, catalog = buildDesk()): AccessPolicy {
  const { tools, resources, templates, prompts, completions, addedScopes, resourceAccess } = catalog;
  const settings = buildSettings({ ...(auth && { auth: { bearer: TOKEN, ...auth } }) });
  const declared = new DeclaredAccess(tools, resources, templates, prompts, completions, addedScopes);
  const required = new RequiredAccess(
    tools,
    resources,
    templates,
    prompts,
    completions,
    resourceAccess,
    settings,
  );
  return new AccessPolicy(declared, required, CHALLENGES, settings);
}

const call = (name: string) => buildRequest('tools/call', { name });

describe('AccessPolicy of a server that asks for tokens', () => {
  const policy = buildPolicy({});

  it('lets a caller with a token call what declares nothing (AUTH-01)', () => {
    const { auth, refusal } = policy.authorize(call('plain'), { authentication: READER });
    expect([auth.claims, refusal]).toEqual([READER.claims, undefined]);
  });

  it('lets a caller call what the token has every scope for (STEP-01)', () => {
    expect(policy.authorize(call('close'), { authentication: WRITER }).refusal).toBeUndefined();
  });

  it('refuses with one challenge that names every scope of the call (STEP-01) (STEP-02)', () => {
    const { refusal } = policy.authorize(call('close'), {
      authentication: buildCaller({ scopes: ['desk:write'] }),
    });
    expect(refusal).toMatchObject({
      code: 403,
      message: 'insufficient_scope: desk:write desk:close',
      wwwAuthenticate: expect.stringContaining(
        `error="insufficient_scope", scope="desk:write desk:close", resource_metadata="${METADATA_URL}"`,
      ),
    });
  });

  it('puts what every request needs before what the handler does (STEP-01) (AUTH-08)', () => {
    const strict = buildPolicy({ requiredScopes: ['desk:read', 'desk:write'] });
    expect(strict.authorize(call('close'), { authentication: READER }).refusal?.message).toBe(
      'insufficient_scope: desk:read desk:write desk:close',
    );
  });

  it('lets anybody call what is public, with a token or without (STEP-06)', () => {
    for (const caller of [undefined, READER]) {
      const { auth, refusal } = policy.authorize(call('hours'), { authentication: caller });
      expect([auth.claims, refusal]).toEqual([caller?.claims, undefined]);
    }
  });

  it.each([call('plain'), call('close'), call('unknown'), buildRequest('tasks/get', {})])(
    'asks a caller without a token for one, for whatever is not public: %j (STEP-06) (AUTH-14)',
    (request) => {
      expect(policy.authorize(request, {}).refusal).toMatchObject({
        code: 401,
        wwwAuthenticate: `Bearer resource_metadata="${METADATA_URL}", scope="desk:read"`,
      });
    },
  );

  it('shows a caller without a token the lists (STEP-06)', () => {
    for (const method of ['initialize', 'server/discover', 'tools/list', 'ping']) {
      expect(policy.authorize(buildRequest(method), {}).refusal).toBeUndefined();
    }
  });

  it('lets nobody without a token pass where nothing is declared at all (AUTH-01)', () => {
    const plain = buildPolicy({}, buildPlain());
    expect(plain.authorize(call('plain'), {}).refusal?.code).toBe(401);
    expect(plain.authorize(call('plain'), { authentication: READER }).refusal).toBeUndefined();
  });

  it('gives handlers what else to ask for: the scopes that the call needs anyway (STEP-01)', () => {
    const { auth } = buildPolicy({ requiredScopes: ['desk:read'] }).authorize(call('close'), {
      authentication: WRITER,
    });
    expect(() => auth.requireScope('desk:admin')).toThrow(
      'insufficient_scope: desk:read desk:write desk:close desk:admin',
    );
    const { auth: plain } = buildPolicy({ requiredScopes: ['desk:read'] }, buildPlain()).authorize(
      call('plain'),
      { authentication: READER },
    );
    expect(() => plain.requireScope('desk:admin')).toThrow('insufficient_scope: desk:read desk:admin');
  });

  it('follows the catalog while the server runs (STEP-06)', () => {
    const catalog = new TestCatalog();
    const changing = buildPolicy({}, catalog);
    const { tools } = catalog.entries;
    tools.add({ name: 'late' }, () => '');
    expect(changing.authorize(call('late'), { authentication: READER }).refusal).toBeUndefined();
    tools.update('late', { requiredScopes: ['desk:write'] });
    expect(changing.authorize(call('late'), { authentication: READER }).refusal?.code).toBe(403);
    tools.update('late', { requiredScopes: [], isPublic: true });
    expect(changing.authorize(call('late'), {}).refusal).toBeUndefined();
  });
});

describe('AccessPolicy of a batch', () => {
  const policy = buildPolicy({});
  const refuse = (names: readonly string[], authentication?: Authentication) =>
    policy.findBatchRefusal(
      names.map((name) => policy.authorize(call(name), { authentication })),
      authentication,
    );

  it('lets a caller pass who may make every call of it (STEP-01)', () => {
    expect(refuse(['plain', 'close'], WRITER)).toBeUndefined();
  });

  it('refuses all of it for what one call lacks, and names what they all need (STEP-01)', () => {
    expect(refuse(['plain', 'close'], READER)?.message).toBe('insufficient_scope: desk:write desk:close');
  });

  it('asks a caller without a token for one, unless every call is public (STEP-06)', () => {
    expect(refuse(['hours', 'plain'])?.code).toBe(401);
    expect(refuse(['hours'])).toBeUndefined();
  });
});

describe('AccessPolicy of a pipe, where whoever started the server is its user', () => {
  const policy = buildPolicy({ requiredScopes: ['desk:read'] });
  const authorize = (name: string, authentication?: Authentication) =>
    policy.authorize(call(name), { authentication, isLocal: true });

  it('needs no token for what requires no scope (AUTH-01)', () => {
    expect(authorize('plain')).toMatchObject({ auth: NO_AUTH, refusal: undefined });
  });

  it('refuses what requires a scope without a token that has it (STEP-01)', () => {
    expect(authorize('close').refusal?.code).toBe(403);
    expect(authorize('close', READER).refusal?.message).toBe(
      'insufficient_scope: desk:read desk:write desk:close',
    );
  });

  it('gives handlers the claims of a token, with every scope or for a call that needs none (AUTH-10)', () => {
    for (const name of ['plain', 'close']) {
      const { auth, refusal } = authorize(name, WRITER);
      expect([auth.claims, refusal]).toEqual([WRITER.claims, undefined]);
    }
  });
});

describe('AccessPolicy of an open server', () => {
  const policy = buildPolicy();

  it('lets everybody call what requires no scope (AUTH-01)', () => {
    for (const name of ['plain', 'hours', 'unknown']) {
      expect(policy.authorize(call(name), {})).toMatchObject({ auth: NO_AUTH, refusal: undefined });
    }
    expect(policy.authorize(buildRequest('tasks/get'), {}).refusal).toBeUndefined();
  });

  it('lets nobody call what requires one (STEP-03)', () => {
    const { auth, refusal } = policy.authorize(call('close'), {});
    expect(auth).toBe(NO_AUTH);
    expect(refusal).toMatchObject({ code: 403, message: 'insufficient_scope: desk:write desk:close' });
    expect(refusal?.wwwAuthenticate).toBeUndefined();
  });
});

describe('AccessPolicy of what depends on the call', () => {
  const catalog = new TestCatalog();
  const inputSchema = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } as const;
  const { tools } = catalog.entries;
  tools.add({ name: 'open', inputSchema, requiredScopes: ['desk:{id}:read'] }, () => '');
  tools.add({ name: 'look', requiredScopes: [() => []] }, () => '');
  tools.add({ name: 'edit', inputSchema, requiredScopes: ['desk:write', 'desk:{id}:edit'] }, () => '');
  const MANY = Array.from({ length: 100 }, (_, index) => `${index}-${'x'.repeat(60)}`);
  tools.add({ name: 'sweep', requiredScopes: [() => MANY] }, () => '');
  const request = (name: string, id?: unknown) =>
    buildRequest('tools/call', { name, arguments: id === undefined ? {} : { id } });
  const policy = buildPolicy({}, catalog);

  async function decide(asked: ReturnType<typeof request>, requester: Requester): Promise<Authorization> {
    const authorization = policy.authorize(asked, requester);
    await authorization.decideByArguments({ params: asked.params } as RequestContext);
    return authorization;
  }

  it('is asked when its arguments are looked at, on a server and over a pipe (XTN-04)', async () => {
    for (const requester of [{ authentication: READER }, { isLocal: true }]) {
      const { refusal, dependsOnArguments } = policy.authorize(request('open', '7'), requester);
      expect([refusal, dependsOnArguments]).toEqual([undefined, true]);
      const decided = await decide(request('open', '7'), requester);
      expect(decided.refusal?.message).toBe('insufficient_scope: desk:7:read');
    }
  });

  it('asks for fixed scopes and those of the call together, and notes all of them (XTN-04)', async () => {
    const { refusal } = await decide(request('edit', '7'), { authentication: READER });
    expect(refusal?.message).toBe('insufficient_scope: desk:write desk:7:edit');
    const editor = buildCaller({ sub: 'ada', scopes: ['desk:write', 'desk:7:edit'] });
    const allowed = await decide(request('edit', '7'), { authentication: editor });
    expect([allowed.refusal, allowed.auth.requiredScopes]).toEqual([
      undefined,
      ['desk:write', 'desk:7:edit'],
    ]);
  });

  it('looks at no argument of a caller without a token (XTN-04)', () => {
    const { refusal, dependsOnArguments } = policy.authorize(request('open', '7'), {});
    expect([refusal?.code, dependsOnArguments]).toEqual([401, false]);
  });

  it('tells nothing of arguments to whoever lacks a fixed scope (XTN-04)', async () => {
    const { refusal } = await decide(request('edit', 7), { authentication: READER });
    expect(refusal?.message).toBe('insufficient_scope: desk:write');
    await expect(decide(request('open', 7), { authentication: READER })).rejects.toThrow('id');
  });

  it('refuses to ask for more than a header carries (XTN-04)', async () => {
    await expect(decide(request('sweep'), { authentication: READER })).rejects.toMatchObject({
      code: -32602,
    });
    const ids = Array.from({ length: 60 }, (_, index) => `${index}-${'x'.repeat(60)}`);
    const many = await Promise.all(ids.map((id) => decide(request('open', id), { authentication: READER })));
    expect(() => policy.findBatchRefusal(many, READER)).toThrow('more scopes than fit in one challenge');
  });

  it('lets whoever started the process call what needs no scope (XTN-04)', async () => {
    expect((await decide(request('look'), { isLocal: true })).refusal).toBeUndefined();
  });

  it('asks for each call of a batch by its own arguments (XTN-04)', async () => {
    const batch = [request('open', '7'), request('look'), request('open', '8')];
    const decided = await Promise.all(batch.map((one) => decide(one, { authentication: READER })));
    expect(policy.findBatchRefusal(decided, READER)?.message).toBe(
      'insufficient_scope: desk:7:read desk:8:read',
    );
  });
});
