import { describe, expect, it } from '@jest/globals';
import { UriTemplate, UriTemplateError } from '../../../../../lib/core/protocol/uri-template.js';

/** The variables of RFC 6570 §3.2. */
const VALUES = {
  count: ['one', 'two', 'three'],
  dom: ['example', 'com'],
  dub: 'me/too',
  hello: 'Hello World!',
  half: '50%',
  var: 'value',
  who: 'fred',
  base: 'http://example.com/home/',
  path: '/foo/bar',
  list: ['red', 'green', 'blue'],
  keys: { semi: ';', dot: '.', comma: ',' },
  v: '6',
  x: '1024',
  y: '768',
  empty: '',
  empty_keys: {},
  undef: null,
};

/** The examples of RFC 6570 by section: a template and what it expands to. */
const EXAMPLES: readonly (readonly [string, string])[] = [
  [
    '1.2 Levels and Expression Types',
    `map?{x,y} map?1024,768
     X{.x,y} X.1024.768
     X{.keys} X.semi,%3B,dot,.,comma,%2C`,
  ],
  ['2.1 Literals', `'{count}' 'one,two,three'`],
  [
    '3.2.1 Variable Expansion',
    `{count} one,two,three
     {count*} one,two,three
     {/count} /one,two,three
     {/count*} /one/two/three
     {;count} ;count=one,two,three
     {;count*} ;count=one;count=two;count=three
     {?count} ?count=one,two,three
     {?count*} ?count=one&count=two&count=three
     {&count*} &count=one&count=two&count=three`,
  ],
  [
    '3.2.2 Simple String Expansion',
    `{var} value
     {hello} Hello%20World%21
     {half} 50%25
     O{empty}X OX
     O{undef}X OX
     {x,y} 1024,768
     {x,hello,y} 1024,Hello%20World%21,768
     ?{x,empty} ?1024,
     ?{x,undef} ?1024
     ?{undef,y} ?768
     {var:3} val
     {var:30} value
     {list} red,green,blue
     {list*} red,green,blue
     {keys} semi,%3B,dot,.,comma,%2C
     {keys*} semi=%3B,dot=.,comma=%2C`,
  ],
  [
    '3.2.3 Reserved Expansion',
    `{+var} value
     {+hello} Hello%20World!
     {+half} 50%25
     {base}index http%3A%2F%2Fexample.com%2Fhome%2Findex
     {+base}index http://example.com/home/index
     O{+empty}X OX
     O{+undef}X OX
     {+path}/here /foo/bar/here
     {+path:6}/here /foo/b/here
     here?ref={+path} here?ref=/foo/bar
     up{+path}{var}/here up/foo/barvalue/here
     {+x,hello,y} 1024,Hello%20World!,768
     {+path,x}/here /foo/bar,1024/here
     {+list} red,green,blue
     {+list*} red,green,blue
     {+keys} semi,;,dot,.,comma,,
     {+keys*} semi=;,dot=.,comma=,`,
  ],
  [
    '3.2.4 Fragment Expansion',
    `{#var} #value
     {#hello} #Hello%20World!
     {#half} #50%25
     foo{#empty} foo#
     foo{#undef} foo
     {#x,hello,y} #1024,Hello%20World!,768
     {#path,x}/here #/foo/bar,1024/here
     {#path:6}/here #/foo/b/here
     {#list} #red,green,blue
     {#list*} #red,green,blue
     {#keys} #semi,;,dot,.,comma,,
     {#keys*} #semi=;,dot=.,comma=,`,
  ],
  [
    '3.2.5 Label Expansion with Dot-Prefix',
    `{.who} .fred
     {.who,who} .fred.fred
     {.half,who} .50%25.fred
     www{.dom*} www.example.com
     X{.var} X.value
     X{.empty} X.
     X{.undef} X
     X{.var:3} X.val
     X{.list} X.red,green,blue
     X{.list*} X.red.green.blue
     X{.keys} X.semi,%3B,dot,.,comma,%2C
     X{.keys*} X.semi=%3B.dot=..comma=%2C
     X{.empty_keys} X
     X{.empty_keys*} X`,
  ],
  [
    '3.2.6 Path Segment Expansion',
    `{/who} /fred
     {/who,who} /fred/fred
     {/half,who} /50%25/fred
     {/who,dub} /fred/me%2Ftoo
     {/var} /value
     {/var,empty} /value/
     {/var,undef} /value
     {/var,x}/here /value/1024/here
     {/var:1,var} /v/value
     {/list} /red,green,blue
     {/list*} /red/green/blue
     {/list*,path:4} /red/green/blue/%2Ffoo
     {/keys} /semi,%3B,dot,.,comma,%2C
     {/keys*} /semi=%3B/dot=./comma=%2C`,
  ],
  [
    '3.2.7 Path-Style Parameter Expansion',
    `{;who} ;who=fred
     {;half} ;half=50%25
     {;empty} ;empty
     {;v,empty,who} ;v=6;empty;who=fred
     {;v,bar,who} ;v=6;who=fred
     {;x,y} ;x=1024;y=768
     {;x,y,empty} ;x=1024;y=768;empty
     {;x,y,undef} ;x=1024;y=768
     {;hello:5} ;hello=Hello
     {;list} ;list=red,green,blue
     {;list*} ;list=red;list=green;list=blue
     {;keys} ;keys=semi,%3B,dot,.,comma,%2C
     {;keys*} ;semi=%3B;dot=.;comma=%2C`,
  ],
  [
    '3.2.8 Form-Style Query Expansion',
    `{?who} ?who=fred
     {?half} ?half=50%25
     {?x,y} ?x=1024&y=768
     {?x,y,empty} ?x=1024&y=768&empty=
     {?x,y,undef} ?x=1024&y=768
     {?var:3} ?var=val
     {?list} ?list=red,green,blue
     {?list*} ?list=red&list=green&list=blue
     {?keys} ?keys=semi,%3B,dot,.,comma,%2C
     {?keys*} ?semi=%3B&dot=.&comma=%2C`,
  ],
  [
    '3.2.9 Form-Style Query Continuation',
    `{&who} &who=fred
     {&half} &half=50%25
     ?fixed=yes{&x} ?fixed=yes&x=1024
     {&x,y,empty} &x=1024&y=768&empty=
     {&x,y,undef} &x=1024&y=768
     {&var:3} &var=val
     {&list} &list=red,green,blue
     {&list*} &list=red&list=green&list=blue
     {&keys} &keys=semi,%3B,dot,.,comma,%2C
     {&keys*} &semi=%3B&dot=.&comma=%2C`,
  ],
];

const rowsOf = (lines: string) =>
  lines.split('\n').map((line) => line.trim().split(' ') as [template: string, uri: string]);

describe.each(EXAMPLES)('Expanding a URI template (RFC 6570 §%s)', (_section, lines) => {
  it.each(rowsOf(lines))('writes %s as %s (CORE-03)', (template, uri) => {
    expect(new UriTemplate(template).expand(VALUES)).toBe(uri);
  });
});

describe('Expanding a URI template', () => {
  const expand = (template: string, values: Parameters<UriTemplate['expand']>[0]) =>
    new UriTemplate(template).expand(values);

  it('encodes what a literal may have and a URI may not (CORE-03)', () => {
    expect(expand('tickets/Größe/%c3%a9/世{x}', { x: 1 })).toBe('tickets/Gr%C3%B6%C3%9Fe/%c3%a9/%E4%B8%961');
  });

  it('takes numbers and booleans, and leaves undefined members out (CORE-03)', () => {
    expect(
      expand('/{n}/{b}{?list*,keys*}', {
        n: -1.5,
        b: false,
        list: [1, null, undefined, true],
        keys: { a: 0, z: null },
      }),
    ).toBe('/-1.5/false?list=1&list=true&a=0');
    expect(expand('{?list,keys*}', { list: [null], keys: { a: undefined } })).toBe('');
  });

  it('writes the empty members of lists and of associative arrays (CORE-03)', () => {
    const values = { list: ['', 'a'], keys: { k: '' } };
    expect(expand('{?list*,keys*}', values)).toBe('?list=&list=a&k=');
    expect(expand('{;list*,keys*}', values)).toBe(';list;list=a;k');
    expect(expand('{/list*,keys*}', values)).toBe('//a/k=');
    expect(expand('{list}', values)).toBe(',a');
  });

  it('keeps what is encoded already where reserved characters are kept, and nowhere else (CORE-03)', () => {
    const values = {
      id: 'admin%2F',
      stray: '%foo',
      list: ['red%25', '%2F', 'blue '],
      keys: { 'a%20b': '%' },
    };
    expect(expand('{+id}{#id}', values)).toBe('admin%2F#admin%2F');
    expect(expand('{id}/{stray}/{+stray}', values)).toBe('admin%252F/%25foo/%25foo');
    expect(expand('{+list}{#keys*}', values)).toBe('red%25,%2F,blue%20#a%20b=%25');
  });

  it('counts whole characters for a prefix (CORE-03)', () => {
    expect(expand('{word:3}{?word:4}', { word: '🔧é世界' })).toBe(
      '%F0%9F%94%A7%C3%A9%E4%B8%96?word=%F0%9F%94%A7%C3%A9%E4%B8%96%E7%95%8C',
    );
  });

  it('finds names with dots, digits and encoded characters (CORE-03)', () => {
    expect(
      expand('{42}{/last.name}{?Stra%C3%9Fe}', { 42: 'a', 'last.name': 'Doe', 'Stra%C3%9Fe': 'x' }),
    ).toBe('a/Doe?Stra%C3%9Fe=x');
  });

  it('takes no value that the object only inherits (CORE-03)', () => {
    expect(expand('{constructor}{toString}{__proto__}', {})).toBe('');
  });

  it('writes half a surrogate pair as the replacement character (CORE-03)', () => {
    expect(expand('{x}', { x: 'a\ud800b' })).toBe('a%EF%BF%BDb');
  });

  it.each(['{list:2}', '{?keys:1}'])('refuses to cut a list in %s (CORE-03)', (template) => {
    const values = { list: ['a'], keys: { a: 'b' } };
    expect(() => expand(template, values)).toThrow(UriTemplateError);
    expect(() => expand(template, values)).toThrow(
      /truncates "(list|keys)", but its value is a list or an associative array/,
    );
  });
});
