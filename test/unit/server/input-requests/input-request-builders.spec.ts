import { describe, expect, it } from '@jest/globals';
import {
  buildRawRequest,
  listRoots,
  sampling,
} from '../../../../lib/server/input-requests/input-request-builders.js';
import { elicitation, urlElicitation } from '../../../../lib/server/input-requests/elicitation.js';
import { InvalidAnswerError } from '../../../../lib/server/input-requests/errors.js';
import type { TypedInputRequest } from '../../../../lib/server/context/input-request.interface.js';
import type { ClientCapabilities } from '../../../../lib/core/protocol/capabilities.js';
import { getRevision, NEWEST_HANDSHAKE, STATELESS } from '../../support/requests.js';

const FORM = {
  message: 'Name?',
  schema: { type: 'object', properties: { name: { type: 'string' } } },
} as const;
const PAGE = { message: 'Pay', url: 'https://pay.example.com/' } as const;
const TALK = { messages: [], maxTokens: 5 } as const;
const TOOLS = { tools: [{ name: 'look', inputSchema: { type: 'object' } }] } as const;

const raw = (method: string, params?: object) =>
  buildRawRequest({ method, ...(params && { params }) } as never);

describe('A question', () => {
  it.each<
    [string, TypedInputRequest<unknown>, ClientCapabilities, ClientCapabilities[], ClientCapabilities[]]
  >([
    [
      'form',
      elicitation(FORM),
      { elicitation: { form: {} } },
      [{ elicitation: {} }, { elicitation: { form: {} } }, { elicitation: { form: {}, url: {} } }],
      [{}, { elicitation: { url: {} } }],
    ],
    [
      'page',
      urlElicitation(PAGE),
      { elicitation: { url: {} } },
      [{ elicitation: { url: {} } }],
      [{}, { elicitation: {} }, { elicitation: { form: {} } }],
    ],
    ['sampling', sampling(TALK), { sampling: {} }, [{ sampling: {} }, { sampling: { tools: {} } }], [{}]],
    [
      'sampling with tools',
      sampling({ ...TALK, ...TOOLS }),
      { sampling: { tools: {} } },
      [{ sampling: { tools: {} } }],
      [{}, { sampling: {} }],
    ],
    [
      'roots',
      listRoots(),
      { roots: {} },
      [{ roots: {} }, { roots: { listChanged: true } }],
      [{ sampling: {} }],
    ],
  ])('%s needs what it needs, raw or not (REV-01)', (_, question, requires, enough, tooLittle) => {
    const written = raw(question.method, question.buildParams(getRevision(STATELESS)));
    for (const each of [question, written]) {
      expect(each.requires).toEqual(requires);
      expect(enough.map((capabilities) => each.isDeclared(capabilities))).toEqual(enough.map(() => true));
      expect(tooLittle.map((capabilities) => each.isDeclared(capabilities))).toEqual(
        tooLittle.map(() => false),
      );
    }
  });

  it('to a model keeps its own options to itself (REV-01)', () => {
    const question = sampling({ ...TALK, key: 'a', timeoutMs: 5, onProgress: () => undefined });
    expect(question.buildParams(getRevision(STATELESS))).toEqual(TALK);
    expect(question.options).toMatchObject({ key: 'a', timeoutMs: 5 });
  });

  it('by a page has a name where the revision has names (REV-01)', () => {
    const question = urlElicitation({ ...PAGE, elicitationId: 'order-7' });
    expect(question.buildParams(getRevision(NEWEST_HANDSHAKE))).toEqual({
      mode: 'url',
      ...PAGE,
      elicitationId: 'order-7',
    });
    expect(question.buildParams(getRevision(STATELESS))).toEqual({ mode: 'url', ...PAGE });
  });

  it.each(['', 'checkout', '//pay.example.com', 'https://'])('by the page %j is refused (REV-01)', (url) => {
    expect(() => urlElicitation({ ...PAGE, url })).toThrow('"url" must be a URL');
  });

  it('that is raw passes as it is written (REV-02)', () => {
    const params = { message: 'Name?', requestedSchema: { type: 'object', properties: {} }, extra: 1 };
    const question = raw('elicitation/create', params);
    expect(question.buildParams(getRevision(NEWEST_HANDSHAKE))).toBe(params);
    expect(question.parseAnswer('anything')).toBe('anything');
    expect(raw('roots/list').buildParams(getRevision(STATELESS))).toEqual({});
  });

  it('that is raw and a page gets a name where one is needed and none is written (REV-02)', () => {
    const params = { mode: 'url', ...PAGE };
    const question = raw('elicitation/create', params);
    expect(question.buildParams(getRevision(NEWEST_HANDSHAKE))).toEqual({
      ...params,
      elicitationId: expect.any(String),
    });
    expect(question.buildParams(getRevision(STATELESS))).toEqual(params);
    const named = { ...params, elicitationId: 'mine' };
    expect(raw('elicitation/create', named).buildParams(getRevision(NEWEST_HANDSHAKE))).toEqual(named);
  });

  it.each(['tools/call', 'ping', '', 'constructor'])('by the method %j is refused (REV-02)', (method) => {
    expect(() => raw(method, {})).toThrow(`"${method}" is not an input request`);
  });

  it.each<[string, TypedInputRequest<unknown>, unknown, string]>([
    [
      'elicitation/create',
      elicitation(FORM),
      { action: 'yes' },
      '"action" must be "accept", "decline" or "cancel"',
    ],
    [
      'elicitation/create',
      elicitation(FORM),
      { action: 'accept', content: [] },
      '"content" must be an object',
    ],
    ['elicitation/create', urlElicitation(PAGE), {}, '"action" must be'],
    ['sampling/createMessage', sampling(TALK), [], 'it must be an object'],
    ['sampling/createMessage', sampling(TALK), { role: 'x' }, '"role" must be "user" or "assistant"'],
    ['sampling/createMessage', sampling(TALK), { role: 'user' }, '"model" must be a string'],
    [
      'sampling/createMessage',
      sampling(TALK),
      { role: 'user', model: 'm' },
      '"content" must be a content block',
    ],
    ['roots/list', listRoots(), { roots: [null] }, '"roots" must be an array of objects with a "uri" string'],
  ])('tells what is wrong with an answer to %s (REV-01)', async (method, question, given, explanation) => {
    const parse = async () => question.parseAnswer(given);
    await expect(parse()).rejects.toBeInstanceOf(InvalidAnswerError);
    await expect(parse()).rejects.toMatchObject({
      method,
      message: expect.stringContaining(`The client's answer to "${method}" is not valid: ${explanation}`),
    });
  });

  it('does not repeat what a user wrote in what it says of it (SAFE-04)', async () => {
    const content = { name: { secret: 'pa55word' } };
    const parse = async () => elicitation(FORM).parseAnswer({ action: 'accept', content });
    const { message } = (await parse().catch((error: unknown) => error)) as Error;
    expect(message).toContain('name: ');
    expect(message).not.toContain('pa55word');
  });
});
