import { describe, expect, it } from '@jest/globals';
import type { Step } from '../../../../lib/server/dispatch/step.js';
import type { McpMethod } from '../../../../lib/server/methods/mcp-method.interface.js';
import { AuthError } from '../../../../lib/core/oauth/auth.error.js';
import { buildAuth, CHALLENGES, METADATA_URL } from '../../support/caller.js';
import { TestDispatch } from '../../support/dispatch.js';
import { buildRequest, openSession } from '../../support/requests.js';

type Handle = McpMethod['handle'];

const CALL = buildRequest('tools/call', { name: 'close' });
const GET = buildRequest('prompts/get', { name: 'greet' });
const FORBIDDEN = CHALLENGES.insufficientScope(['desk:read', 'desk:write']);
const TEXT = 'insufficient_scope: desk:read desk:write';
const CHALLENGE =
  'Bearer error="insufficient_scope", scope="desk:read desk:write", ' +
  `resource_metadata="${METADATA_URL}", error_description="The token lacks a required scope"`;

/** A tool and a prompt that do the same. */
function serve(handle: Handle, ...steps: readonly Step[]): TestDispatch {
  const tool = { method: 'tools/call', failsAsResult: true, handle };
  return new TestDispatch([tool, { method: 'prompts/get', handle }], {}, ...steps);
}

const REFUSING: Step = { refuse: () => FORBIDDEN };

const fail = (failure: unknown) => () => Promise.reject(failure);

describe('An AuthError', () => {
  it('of a tool is a result that says so, with status and challenge for an answer that has not begun (STEP-03) (STEP-04)', async () => {
    expect(await serve(fail(FORBIDDEN)).request(CALL, { peer: openSession() })).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text: TEXT }], isError: true },
      status: 403,
      wwwAuthenticate: CHALLENGE,
    });
  });

  it('of any other method is an error -32600 with that text, status and challenge (STEP-02) (STEP-04)', async () => {
    expect(await serve(fail(FORBIDDEN)).request(GET)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32600, message: TEXT },
      status: 403,
      wwwAuthenticate: CHALLENGE,
    });
  });

  it('without a challenge is answered with a plain one (STEP-04)', async () => {
    const dispatch = serve(fail(new AuthError(401, 'Log in first')));
    expect(await dispatch.request(CALL)).toMatchObject({
      result: { isError: true, content: [{ text: 'Log in first' }] },
      status: 401,
      wwwAuthenticate: 'Bearer',
    });
  });

  it('is what requireScope() throws in a handler, for what the call needs besides (STEP-03)', async () => {
    const dispatch = serve(({ auth }) => {
      auth.requireScope('desk:write');
      return {};
    });
    const auth = buildAuth({ scopes: ['desk:read'] }, ['desk:read']);
    expect(await dispatch.request(CALL, { auth })).toMatchObject({
      result: { isError: true, content: [{ text: TEXT }] },
      status: 403,
      wwwAuthenticate: CHALLENGE,
    });
    const allowed = buildAuth({ scopes: ['desk:read', 'desk:write'] }, ['desk:read']);
    expect(await dispatch.request(CALL, { auth: allowed })).toMatchObject({ status: 200 });
  });

  it('is what requireScope() throws on an open server, where nobody has a scope (STEP-03)', async () => {
    const dispatch = serve(({ auth }) => {
      auth.requireScope('desk:read', 'desk:write');
      return {};
    });
    expect(await dispatch.request(CALL)).toMatchObject({
      result: { isError: true, content: [{ text: TEXT }] },
      status: 403,
      wwwAuthenticate: 'Bearer',
    });
  });
});

describe('A request that was refused before its handler', () => {
  it('is answered by its method’s own way of failing, and never runs (STEP-01) (STEP-02)', async () => {
    const calls: string[] = [];
    const dispatch = serve(({ method }) => {
      calls.push(method);
      return {};
    }, REFUSING);
    expect(await dispatch.request(CALL)).toMatchObject({
      result: { isError: true, content: [{ text: TEXT }], resultType: 'complete' },
      status: 403,
      wwwAuthenticate: CHALLENGE,
    });
    expect(await dispatch.request(GET)).toMatchObject({
      error: { code: -32600, message: TEXT },
      status: 403,
      wwwAuthenticate: CHALLENGE,
    });
    expect([calls, dispatch.detached.all()]).toEqual([[], []]);
  });

  it('is unknown where its method is, whatever its caller may do (CORE-01)', async () => {
    const dispatch = serve(() => ({}), REFUSING);
    const answer = await dispatch.request(buildRequest('tools/rename'));
    expect(answer).toMatchObject({ error: { code: -32601 }, status: 404 });
    expect(answer).not.toHaveProperty('wwwAuthenticate');
  });
});
