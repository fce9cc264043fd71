import { describe, expect, it } from '@jest/globals';
import { UriTemplate } from '../../../../../lib/core/protocol/uri-template.js';
import { HARD_CHARACTERS, Random } from '../random.js';

/** Without the label operator's own separator, which it does not encode. */
const CHARACTERS = HARD_CHARACTERS.filter((character) => character !== '.');

interface Draft {
  readonly template: string;
  readonly values: Record<string, string | string[]>;
}

const drawText = (random: Random) => random.text(CHARACTERS, 1, 6);

/** Draws a template of up to four expressions with a separator before each, and values for all its variables. */
function drawTemplate(random: Random, separator: string): Draft {
  const values: Draft['values'] = {};
  const expressions = Array.from({ length: 1 + random.below(4) }, () => {
    const exploded = random.below(4);
    const specifications = Array.from({ length: 1 + random.below(3) }, (_, index) => {
      const name = `v${Object.keys(values).length}`;
      const list = Array.from({ length: 1 + random.below(4) }, () => drawText(random));
      values[name] = index === exploded ? list : drawText(random);
      return index === exploded ? `${name}*` : name;
    });
    return `${separator}{${random.pick(['', '.', '/', ';', '?', '&'])}${specifications.join(',')}}`;
  });
  return { template: `test:${expressions.join('')}`, values };
}

describe('A URI template in both directions', () => {
  it('reads back what it wrote, whatever the values hold (CORE-03)', () => {
    const random = new Random(5);
    for (let round = 0; round < 1500; round++) {
      // No value has the separator unencoded, so there is one way to read each URI.
      const { template, values } = drawTemplate(random, '@');
      const parsed = new UriTemplate(template);
      const uri = parsed.expand(values);
      expect({ template, uri, values: parsed.match(uri) }).toEqual({ template, uri, values });
    }
  });

  it('reads something of all that it wrote, though expressions stand side by side (CORE-03)', () => {
    const random = new Random(8);
    for (let round = 0; round < 1500; round++) {
      const { template, values } = drawTemplate(random, '');
      const parsed = new UriTemplate(template);
      const uri = parsed.expand(values);
      expect({ template, uri, isRead: parsed.match(uri) !== undefined }).toEqual({
        template,
        uri,
        isRead: true,
      });
    }
  });

  it('reads back a subset of the values of operators that may be absent (CORE-03)', () => {
    const random = new Random(6);
    const template = new UriTemplate('test:{name}{;a,b}{?c,d*,e}{#f}');
    for (let round = 0; round < 500; round++) {
      const all = {
        a: drawText(random),
        b: '',
        c: '',
        d: [drawText(random), ''],
        e: drawText(random),
        f: 'x/y?z',
      };
      const some = Object.entries(all).filter(() => random.below(2) === 0);
      const values = { ...Object.fromEntries(some), name: drawText(random) };
      expect(template.match(template.expand(values))).toEqual(values);
    }
  });

  it('writes a URI that means the same as the one it read (CORE-03)', () => {
    const random = new Random(7);
    const pieces = ['a', 'b', 'list', 'é', '%C3%A9', '%2f', '%61', '%25', ...'.,/;?&=@:+'];
    const templates = [
      '{a}',
      '{a,b}',
      '{a}.{b}',
      'a{/a,b}',
      '{a:2}{;b}',
      '{a}{?b,list*}',
      '{list*}{.a}',
      '{/list*}{&a}',
    ];
    let matches = 0;
    for (let round = 0; round < 10_000; round++) {
      const template = new UriTemplate(random.pick(templates));
      const uri = random.text(pieces, 0, 7);
      const values = template.match(uri);
      if (values === undefined) continue;
      matches++;
      const written = template.expand(values);
      expect({ uri, written, values: template.match(written) }).toEqual({ uri, written, values });
    }
    expect(matches).toBeGreaterThan(800);
  });
});
