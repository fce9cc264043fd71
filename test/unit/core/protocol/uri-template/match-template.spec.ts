import { describe, expect, it } from '@jest/globals';
import { UriTemplate } from '../../../../../lib/core/protocol/uri-template.js';
import { growthOf, LINEAR } from '../growth.js';

const match = (template: string, uri: string) => new UriTemplate(template).match(uri);

describe('Matching a URI against a template', () => {
  it.each([
    ['', '', {}],
    ['ticket://all', 'ticket://all', {}],
    ['ticket://{id}', 'ticket://42', { id: '42' }],
    ['test://template/{id}/data', 'test://template/123/data', { id: '123' }],
    ['{scheme}://{host}/{name}', 'http://a.example/x', { scheme: 'http', host: 'a.example', name: 'x' }],
    ['{name}.{ext}', 'archive.tar.gz', { name: 'archive.tar', ext: 'gz' }],
    ['{name}-{version}', 'my-package-1.0', { name: 'my-package', version: '1.0' }],
    ['{a}{b}', 'xyz', { a: 'xy', b: 'z' }],
    ['a{x}a{y}a', 'aaaaa', { x: 'a', y: 'a' }],
    ['{x,y}', '1024,768', { x: '1024', y: '768' }],
    ['{x,y}', '1024', { x: '1024' }],
    ['{x,y}', '1024,', { x: '1024', y: '' }],
    ['{x,y}', ',768', { x: '', y: '768' }],
    ['geo:{place}', 'geo:52.5,13.4;u=3', { place: '52.5,13.4;u=3' }],
    ['{list*}', 'red,green,blue', { list: ['red', 'green', 'blue'] }],
    ['{first,rest*,last}', 'a,b,c,d', { first: 'a', rest: ['b', 'c'], last: 'd' }],
    ['{first,rest*,last}', 'a,b', { first: 'a', rest: ['b'] }],
    ['{a*,b*}', 'x,y,z', { a: ['x', 'y'], b: ['z'] }],
    ['{a*,b*,c}', 'w,x,y,z', { a: ['w', 'x'], b: ['y'], c: 'z' }],
    ['{list*}/{list*}', 'a,b/a,b', { list: ['a', 'b'] }],
    ['{word:2}', '🔧é', { word: '🔧é' }],
    ['{code:2}{rest}', 'deutsch', { code: 'de', rest: 'utsch' }],
    ['{word:2}', '🔧%C3%A9', { word: '🔧é' }],
  ])('reads simple values: %s of %s gives %j (CORE-03)', (template, uri, values) => {
    expect(match(template, uri)).toEqual(values);
  });

  it.each([
    ['file:///{+path}', 'file:///a/b.txt?c#d', { path: 'a/b.txt?c#d' }],
    ['{+path}/here', '/foo/bar/here', { path: '/foo/bar' }],
    ['{+path}/here', '/here/here', { path: '/here' }],
    ['{+base}index', 'http://example.com/home/index', { base: 'http://example.com/home/' }],
    ['{+path,x}/here', '/foo/bar,1024/here', { path: '/foo/bar', x: '1024' }],
    ['{+list*}', 'red,green', { list: ['red', 'green'] }],
    ['up{+path}{var}/here', 'up/foo/barvalue/here', { path: '/foo/barvalu', var: 'e' }],
    ['{+path}{?q}', 'a/b?q=1', { path: 'a/b', q: '1' }],
    ['{+path}{?q}', 'a/b', { path: 'a/b' }],
    ['{+path}{.ext}{?q}{#part}', 'a/b.txt?q=1#top', { path: 'a/b', ext: 'txt', q: '1', part: 'top' }],
    ['{+path}{.ext}{?q}{#part}', 'a.d/b?q=/x.y', { path: 'a.d/b', q: '/x.y' }],
    ['{+path}{.ext}{?q}{#part}', 'a.d/b#top', { path: 'a.d/b', part: 'top' }],
    ['{+path}{/name}', 'a/b/c', { path: 'a/b', name: 'c' }],
    ['{+path}{;v}', 'a/b;v=1', { path: 'a/b', v: '1' }],
    ['{+path}{;v,w}', 'a/b;v=1;w=2', { path: 'a/b', v: '1', w: '2' }],
    ['{+path}{&v,w}', 'a/b&v=1&w=2', { path: 'a/b', v: '1', w: '2' }],
    ['{;v}{+rest}', ';v=1;z=2', { v: '1', rest: ';z=2' }],
    ['{;v}{+rest}', ';v/z', { v: '', rest: '/z' }],
    ['{;v}{+rest}', ';vz=1', { rest: ';vz=1' }],
    ['{;v}{+rest}', ';v', { rest: ';v' }],
    ['{?v:3}{+rest}', '?v=fourteen', { v: 'fou', rest: 'rteen' }],
    ['doc{#part}', 'doc#a/b?c', { part: 'a/b?c' }],
    ['doc{#part}', 'doc#', { part: '' }],
    ['doc{#part}', 'doc', {}],
    ['{#path,x}/here', '#/foo/bar,1024/here', { path: '/foo/bar', x: '1024' }],
  ])('reads reserved values and fragments: %s of %s gives %j (CORE-03)', (template, uri, values) => {
    expect(match(template, uri)).toEqual(values);
  });

  it.each([
    ['X{.var}', 'X.a.b', { var: 'a.b' }],
    ['X{.var}', 'X', {}],
    ['X{.x,y}', 'X.1024.768', { x: '1024', y: '768' }],
    ['www{.dom*}', 'www.example.com', { dom: ['example', 'com'] }],
    ['{name}{.ext}', 'archive.tar.gz', { name: 'archive.tar', ext: 'gz' }],
    ['{name}{.ext}', 'README', { name: 'README' }],
    ['{name}{.ext}', '.profile', { name: '.profile' }],
    ['users{/id}', 'users/7', { id: '7' }],
    ['users{/id}', 'users/', { id: '' }],
    ['users{/id}', 'users', {}],
    ['{/var,x}/here', '/value/1024/here', { var: 'value', x: '1024' }],
    ['{/var,x}/here', '/value/here', { var: 'value' }],
    ['{/list*}', '/red/green/blue', { list: ['red', 'green', 'blue'] }],
    ['{/list*}', '', {}],
    ['{/list*,path:4}', '/red/green/blue/%2Ffoo', { list: ['red', 'green', 'blue'], path: '/foo' }],
    ['{/var:1,var}', '/v/value', { var: 'value' }],
    [
      '/base{/group,name}/pages{/page,lang}',
      '/base/1/J/pages/5/en',
      { group: '1', name: 'J', page: '5', lang: 'en' },
    ],
    ['map{;x,y}', 'map;x=1;y=2', { x: '1', y: '2' }],
    ['map{;x,y}', 'map;y=2;x', { x: '', y: '2' }],
    ['map{;x,y}', 'map', {}],
    ['map{;list*}', 'map;list=a;list=b', { list: ['a', 'b'] }],
    ['map{;x}.json', 'map;x.json', { x: '' }],
    ['{id}{;x}', 'a;x=1', { id: 'a', x: '1' }],
  ])('reads labels, segments and parameters: %s of %s gives %j (CORE-03)', (template, uri, values) => {
    expect(match(template, uri)).toEqual(values);
  });

  it.each([
    ['s{?q,n}', 's?q=a&n=1', { q: 'a', n: '1' }],
    ['s{?q,n}', 's?n=1&q=a', { q: 'a', n: '1' }],
    ['s{?q,n}', 's?n=1', { n: '1' }],
    ['s{?q,n}', 's', {}],
    ['s{?q}', 's?q=', { q: '' }],
    ['s{?q}', 's?q', { q: '' }],
    ['s{?q}', 's?q=a=b/c?d,e;f', { q: 'a=b/c?d,e;f' }],
    ['s{?list*,n}', 's?list=a&n=1&list=b', { list: ['a', 'b'], n: '1' }],
    ['s{?list}', 's?list=a,b', { list: 'a,b' }],
    ['s{?a,ab,a.b}', 's?ab=2&a.b=3&a=1', { a: '1', ab: '2', 'a.b': '3' }],
    ['s{?Stra%C3%9Fe}', 's?Stra%c3%9fe=x', { 'Stra%C3%9Fe': 'x' }],
    ['s{?q:3}', 's?q=abc', { q: 'abc' }],
    ['s{?q}{&n}', 's?q=a&n=1', { q: 'a', n: '1' }],
    ['s{?q}{&n}', 's&n=1', { n: '1' }],
    ['s{?q}#top', 's?q=a#top', { q: 'a' }],
    ['s{?q}&end', 's?q=a&end', { q: 'a' }],
    ['s{?q}!', 's?q=a!!', { q: 'a!' }],
    ['s?fixed=yes{&x,y}', 's?fixed=yes&y=2&x=1', { x: '1', y: '2' }],
    ['s?v={v}{&x}', 's?v=1&x=2', { v: '1', x: '2' }],
  ])('reads queries in any order: %s of %s gives %j (CORE-03)', (template, uri, values) => {
    expect(match(template, uri)).toEqual(values);
  });

  it.each([
    ['', 'a'],
    ['ticket://{id}', 'ticket://'],
    ['ticket://{id}', 'ticket://a/b'],
    ['ticket://{id}', 'ticket://a?b'],
    ['ticket://{id}', 'ticket://a#b'],
    ['{scheme}://a', 'Ticket://b'],
    ['ticket://{id}', 'xticket://a'],
    ['ticket://{id}/notes', 'ticket://a/notes/'],
    ['users{/id}', 'users/a/b'],
    ['users{/id,part}', 'users/a/b/c'],
    ['X{.a}', 'X.a/b'],
    ['file:///{+path}', 'file:///'],
    ['{x,y}', '1,2,3'],
    ['{x,y}', ''],
    ['{word:3}', 'four'],
    ['X{.var:3}', 'X.four'],
    ['{/var:1,x}', '/long/x'],
    ['{/var:1,var}', '/x/value'],
    ['{x}/{x}', 'a/b'],
    ['{list}/{list*}', 'a/a'],
    ['s{?q}', 's?'],
    ['s{?q}', 's?other=1'],
    ['s{?q}', 's?q=1&other=2'],
    ['s{?q}', 's?q=1&q=2'],
    ['s{?q}', 's?q=1&'],
    ['s{?q}', 's?&q=1'],
    ['s{?q}', 's&q=1'],
    ['s{?q}', 's?q=1#top'],
    ['s{?q}', 's?Q=1'],
    ['s{?q:3}', 's?q=four'],
    ['map{;x}', 'map;xy=1'],
  ])('refuses what is no expansion: %s and %s (CORE-03)', (template, uri) => {
    expect(match(template, uri)).toBeUndefined();
  });

  it('decodes percent-encoding, and knows an encoded delimiter from a plain one (CORE-03)', () => {
    expect(match('d/{id}', 'd/..%2F%2e%2E%2fa%20b%25%C3%A9')).toEqual({ id: '../../a b%é' });
    expect(match('{a},{b}', 'x%2Cy,z')).toEqual({ a: 'x,y', b: 'z' });
    expect(match('{list*}', 'x%2Cy,z')).toEqual({ list: ['x,y', 'z'] });
    expect(match('s{?q}', 's?q=a%26b%3Dc%23')).toEqual({ q: 'a&b=c#' });
    expect(match('a/b{x}', 'a%2Fb1')).toBeUndefined();
    expect(match('s{?q}', 's%3Fq=1')).toBeUndefined();
  });

  it('takes characters that are encoded without need for plain ones (CORE-03)', () => {
    expect(match('caf%C3%A9/~{x}', 'café/%7ea')).toEqual({ x: 'a' });
    expect(match('🔧{x}', '%F0%9F%94%A7a')).toEqual({ x: 'a' });
    expect(match('café/{x}', 'c%61f%c3%A9/%e4%b8%96')).toEqual({ x: '世' });
  });

  it.each([
    '%',
    '%4',
    '%zz',
    '%C3',
    '%C3x%A9',
    '%ED%A0%80',
    '%C0%AF',
    '\ud800',
    'a b',
    'a\n',
    '"',
    '<',
    '\u0080',
  ])('refuses the malformed URI %j (CORE-03)', (uri) => {
    expect(match('{+x}', uri)).toBeUndefined();
  });

  it('gives variables of any name as own properties (CORE-03)', () => {
    const values = match('{__proto__}/{constructor}', 'a/b');
    expect(Object.entries(values ?? {})).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
  });

  it('reads URIs of 8000 characters at most (CORE-03)', () => {
    expect(match('{x}', 'a'.repeat(8000))).toEqual({ x: 'a'.repeat(8000) });
    expect(match('{x}', 'a'.repeat(8001))).toBeUndefined();
  });
});

describe('Matching a hostile URI', () => {
  it.each([
    ['{a}{b}{c}{d}{e}{f}!', 'a'],
    ['{+a}{+b}{+c}{+d}{+e}!', 'a/'],
    ['{a,b,c}{d,e,f}{g*}!', 'a,'],
    ['{+a}x{+b}x{+c}x{+d}xy', 'x'],
    ['{+a}{.b*}{.c*}{.d*}!', '.'],
    ['{+a}{/b*}{/c*}{/d,e,f}!', '/a'],
    ['{+a}{?b*}{?c*}!', '?b=1?c'],
    ['{+a}{&b*}{&c*}{&b,c}!', '&b=1&c=2'],
    ['{+a}{;b*}{;b*}!', ';b'],
    ['{a:9}{b:99}{c:999}!', '%C3%A9'],
    ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab{+x}', 'a'],
    ['{+x}aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab', 'a'],
    ['{+x}', '%C3'],
    ['s{?list*}', 'list&'],
    ['{?list*,x,y}', '?list=&'],
    ['{&list*,x,y}', '&list=1'],
    ['{list*}', ','],
    ['{a}{/list*}', '/'],
    ['{;list*}{list}', ';list='],
    ['{x:9}{+x}', 'a'],
  ])('takes linear time for %s where %j repeats (CORE-03)', (template, piece) => {
    const parsed = new UriTemplate(template);
    const growth = growthOf(8000, (size) => parsed.match(piece.repeat(Math.floor(size / piece.length))));
    expect(growth).toBeLessThan(LINEAR);
  });
});
