import { describe, expect, it } from '@jest/globals';
import {
  refuseToShorten,
  shortenToFit,
  shortenToolResult,
} from '../../../../../lib/server/methods/results/shorten-result.js';
import type { Encoded } from '../../../../../lib/core/protocol/encoding/encode-definition.js';

const format = (result: Encoded): string => JSON.stringify({ jsonrpc: '2.0', id: 1, result });
const text = (content: string) => ({ type: 'text', text: content });

/** Gives what goes out of a result of which so much may. */
function send(result: Encoded, maxBytes: number): Encoded {
  return shortenToFit(result, format(result), { maxBytes, shorten: shortenToolResult }) ?? result;
}

describe('A result of a tool that may be too long', () => {
  it('is what it is without a limit, and as long as it fits (OPS-04)', () => {
    const result = { content: [text('x'.repeat(900))] };
    expect(send(result, Infinity)).toBe(result);
    expect(send(result, Buffer.byteLength(format(result)))).toBe(result);
  });

  it.each(['x', 'ä', '€', '🙂', '"', '\u0001'])(
    'is cut to the bytes that may go out, of %j (OPS-04)',
    (character) => {
      const cut = send({ content: [text(character.repeat(20_000))] }, 2048);
      const bytes = Buffer.byteLength(format(cut));
      expect(bytes).toBeLessThanOrEqual(2048);
      expect(bytes).toBeGreaterThan(1536);
    },
  );

  it('says what was cut, and how to ask for less (OPS-04)', () => {
    const content = [text('a'.repeat(100)), text('b'.repeat(5000)), text('c')];
    const cut = send({ content }, 2048) as { readonly content: readonly { readonly text: string }[] };
    expect(cut.content[0]).toEqual(content[0]);
    expect(cut.content[1]?.text).toMatch(/^b{1000,}$/);
    expect(cut.content[2]?.text).toMatch(
      /^\[The result takes \d{4} bytes, but only 2048 may be sent: the text above was cut off after \d+ of 5000 characters, and 1 of 3 blocks were omitted\. To see the rest, request less, with narrower arguments or one part at a time\.\]$/,
    );
    expect(cut.content).toHaveLength(3);
  });

  it('leaves out blocks that cannot be cut, and all behind them (OPS-04)', () => {
    const image = { type: 'image', data: 'A'.repeat(5000), mimeType: 'image/png' };
    const cut = send({ content: [text('first'), image, text('last')] }, 2048);
    expect(cut['content']).toMatchObject([
      { text: 'first' },
      { text: expect.stringContaining('2 of 3 blocks') },
    ]);
  });

  it('keeps what else there is of it, and that it is an error (OPS-04)', () => {
    const cut = send({ content: [text('x'.repeat(5000))], isError: true, _meta: { a: 1 } }, 2048);
    expect(cut).toMatchObject({ isError: true, _meta: { a: 1 } });
  });

  it.each<[string, Encoded]>([
    ['structured content', { content: [text('x')], structuredContent: { list: 'x'.repeat(5000) } }],
    ['an image alone', { content: [{ type: 'image', data: 'A'.repeat(5000), mimeType: 'image/png' }] }],
    ['metadata', { content: [text('x')], _meta: { long: 'x'.repeat(5000) } }],
  ])('is refused if it is %s, in words for the model (OPS-04)', (_what, result) => {
    const refused = send(result, 2048);
    expect(refused).toEqual({
      isError: true,
      content: [
        text(
          expect.stringMatching(
            /^The result takes \d+ bytes, but only 2048 may be sent: request less/,
          ) as never,
        ),
      ],
    });
    expect(Buffer.byteLength(format(refused))).toBeLessThan(1024);
  });
});

it('What a resource holds is refused with the sizes (OPS-04)', () => {
  const shorten = refuseToShorten('The resource contents');
  expect(() => shorten({}, { bytes: 5000, maxBytes: 2048 })).toThrow(
    expect.objectContaining({
      code: -32603,
      message: expect.stringContaining('The resource contents take 5000 bytes, but only 2048 may be sent'),
      data: { bytes: 5000, maxBytes: 2048 },
    }),
  );
});
