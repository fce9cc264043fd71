import { describe, expect, it } from '@jest/globals';
import '../../support/mcp-matchers.js';

const text = (...texts: string[]) => ({ content: texts.map((one) => ({ type: 'text', text: one })) });
const failed = { ...text('The desk is closed'), isError: true };

describe('The matcher of texts', () => {
  it('takes the whole text, or a pattern (KIT-01)', () => {
    expect(text('hello')).toHaveText('hello');
    expect(text('hello')).not.toHaveText('hell');
    expect(text('hello', 'you')).toHaveText('hello\nyou');
    expect(text('hello')).toHaveText(/^hell/);
    const global = /l/g;
    for (const _ of [1, 2, 3]) expect(text('l')).toHaveText(global);
  });

  it('passes over blocks without a text (KIT-01)', () => {
    expect({ content: [{ type: 'image', data: '' }, ...text('a').content] }).toHaveText('a');
    expect({ content: [] }).toHaveText('');
  });

  it('says what it found (KIT-01)', () => {
    expect(() => expect(text('hello')).toHaveText('bye')).toThrow(
      'Expected a result with the text "bye", but found "hello"',
    );
    expect(() => expect(text('hello')).not.toHaveText(/h/)).toThrow(
      'Expected no result with the text /h/, but found "hello"',
    );
  });
});

describe('The matchers of results', () => {
  const NO_RESULT = 'Expected a tool result from "callTool()"';

  it.each([[undefined], ['hello'], [null], [{ content: 'hello' }]])(
    'refuse %j, which is no result, with "not" too (KIT-01)',
    (value) => {
      expect(() => expect(value).toHaveText('')).toThrow(NO_RESULT);
      expect(() => expect(value).not.toHaveText('')).toThrow(NO_RESULT);
      expect(() => expect(value).not.toBeToolError()).toThrow(NO_RESULT);
      expect(() => expect(value).not.toHaveStructuredContent({})).toThrow(NO_RESULT);
    },
  );
});

describe('The matcher of errors', () => {
  it('takes a result that is an error (KIT-01)', () => {
    expect(failed).toBeToolError();
    expect(failed).toBeToolError(/closed$/);
    expect(failed).toBeToolError('The desk is closed');
    expect(failed).not.toBeToolError(/open/);
    expect(text('The desk is closed')).not.toBeToolError();
  });

  it('says what it found (KIT-01)', () => {
    expect(() => expect(text('fine')).toBeToolError(/closed/)).toThrow(
      'Expected a tool error with the text /closed/, but found a success with "fine"',
    );
  });
});

describe('The matcher of structured content', () => {
  const result = { ...text('…'), structuredContent: { total: 3, rolls: [1, 2] } };

  it('compares deeply, and knows what stands for many values (KIT-01)', () => {
    expect(result).toHaveStructuredContent({ rolls: [1, 2], total: 3 });
    expect(result).toHaveStructuredContent({ total: expect.any(Number), rolls: [1, 2] });
    expect(result).toHaveStructuredContent(expect.objectContaining({ total: 3 }));
    expect(result).not.toHaveStructuredContent({ total: 3 });
    expect(text('…')).not.toHaveStructuredContent({});
  });
});

describe('The matcher of challenges', () => {
  const respond = (status: number, challenge?: string) =>
    new Response(null, { status, headers: challenge === undefined ? {} : { 'www-authenticate': challenge } });
  const refused = respond(403, 'Bearer error="insufficient_scope", scope="a b", realm="desk"');

  it('compares status and parameters, scopes in any order (KIT-01)', () => {
    expect(refused).toChallenge();
    expect(refused).toChallenge({ status: 403, error: 'insufficient_scope', scope: 'b a' });
    expect(refused).toChallenge({ realm: /^de/ });
    expect(refused).not.toChallenge({ status: 401 });
    expect(refused).not.toChallenge({ scope: 'a' });
    expect(refused).not.toChallenge({ error: 'invalid_token' });
    expect(refused).not.toChallenge({ resource_metadata: /./ });
  });

  it('wants a challenge of that scheme that can be read (KIT-01)', () => {
    expect(respond(401)).not.toChallenge();
    expect(respond(401, 'Basic realm="desk"')).not.toChallenge();
    expect(respond(401, 'Bearer error="')).not.toChallenge();
    expect(respond(401, 'Basic realm="desk", Bearer error="x"')).toChallenge({ error: 'x' });
  });

  it('says what it found, and refuses what is no response (KIT-01)', () => {
    expect(() => expect(respond(200)).toChallenge({ status: 401, error: 'x' })).toThrow(
      'Expected a challenge with status 401, error "x", but found status 200 and no challenge',
    );
    expect(() => expect({ status: 401 }).toChallenge()).toThrow('Expected a "Response" from "fetch()"');
  });
});
