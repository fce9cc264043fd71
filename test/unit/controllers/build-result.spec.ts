import { describe, expect, it } from '@jest/globals';
import { HttpException } from '@nestjs/common';
import { buildResult } from '../../../lib/controllers/build-result.js';
import type { RoutedResponse } from '../../../lib/controllers/dispatch/route-dispatcher.js';

const JSON_TYPE = 'application/json; charset=utf-8';

const build = (
  given: Partial<RoutedResponse> & { readonly text?: string },
  method = 'GET',
  isChecked = false,
) => {
  const { text = '', ...response } = given;
  return buildResult(
    { status: 200, contentType: JSON_TYPE, isReached: true, body: Buffer.from(text), ...response },
    { method, path: '/cats', isChecked },
  );
};

/** Gives what a response throws. */
function failureOf(given: Parameters<typeof build>[0]): Error {
  try {
    return new Error(`Expected a failure, got ${JSON.stringify(build(given))}`);
  } catch (error) {
    return error as Error;
  }
}

describe('The result of a response', () => {
  it.each(['{"id":1}', '[1]'])('is %s, structured too (ROUTE-02)', (text) => {
    expect(build({ text })).toEqual({
      content: [{ type: 'text', text }],
      structuredContent: JSON.parse(text),
    });
  });

  it.each([
    ['null', JSON_TYPE],
    ['7', JSON_TYPE],
    ['no JSON', JSON_TYPE],
    ['plain', 'text/plain'],
    ['none', ''],
  ])('is the text %s of the type %j (ROUTE-02)', (text, contentType) => {
    expect(build({ text, contentType })).toEqual({ content: [{ type: 'text', text }] });
  });

  it('is the value alone if the tool has an output schema (ROUTE-02)', () => {
    expect(build({ text: '{"id":1}' }, 'GET', true)).toEqual({ id: 1 });
  });

  it('is null after a read, and nothing after anything else (ROUTE-02)', () => {
    expect(build({})).toBeNull();
    expect(build({}, 'POST')).toBeUndefined();
  });

  it.each(['image', 'audio'])('is an %s (ROUTE-02)', (type) => {
    expect(build({ text: 'bytes', contentType: `${type}/x; q=1` })).toEqual({
      content: [{ type, data: Buffer.from('bytes').toString('base64'), mimeType: `${type}/x` }],
    });
  });

  it.each([
    [{ contentType: 'application/pdf', text: '%PDF' }, 'has the media type "application/pdf"'],
    [{ status: 302, location: '/dogs' }, 'a redirect to /dogs'],
    [{ status: 304 }, 'a redirect'],
    [{ isReached: false }, '"GET /cats" received a 200 response from something other than its route'],
    [{ status: 500, text: 'hunter2' }, '"GET /cats" responded with 500: hunter2'],
  ])('is an error for %j (ROUTE-02)', (given, text) => {
    expect(failureOf(given).message).toContain(text);
  });

  it.each([
    [{ text: '{"message":"no"}' }, { message: 'no' }],
    [{ text: '"no"' }, 'no'],
    [{ text: '{}', contentType: 'application/problem+json' }, {}],
    [{ text: 'no', contentType: 'text/plain' }, 'no'],
    [{ text: '', contentType: 'text/plain' }, 'Bad Request'],
    [{ text: '<p>no</p>', contentType: 'text/html' }, 'Bad Request'],
    [{ text: 'bytes', contentType: 'image/png' }, 'Bad Request'],
    [{ text: '7' }, '7'],
  ])('is the refusal of %j, even before the route (ROUTE-02)', (given, shown) => {
    const failure = failureOf({ ...given, status: 400, isReached: false });
    expect(failure).toBeInstanceOf(HttpException);
    expect((failure as HttpException).getResponse()).toEqual(shown);
    expect((failure as HttpException).getStatus()).toBe(400);
  });
});
