import { describe, expect, it } from '@jest/globals';
import { UriTemplate, UriTemplateError } from '../../../../lib/core/protocol/uri-template.js';

describe('A URI template (RFC 6570 §2)', () => {
  it('names its variables once, in the order of the template (CORE-03)', () => {
    const template = new UriTemplate('a{+x}/{y.z:3,x*}{?_1,%41,y.z}');
    expect(template.template).toBe('a{+x}/{y.z:3,x*}{?_1,%41,y.z}');
    expect(template.variables).toEqual(['x', 'y.z', '_1', '%41']);
  });

  it.each([
    '',
    'plain',
    'ticket://{id}',
    "it's/{x}",
    'café/{x}',
    'x%20y',
    '{a:9999}',
    '#{x}',
    '[::1]/{x}',
    '世/{x}',
  ])('may be %j (CORE-03)', (template) => {
    expect(new UriTemplate(template).template).toBe(template);
  });

  it.each([
    ['{/id*', /never closes "\{\/id\*": add a "\}"/],
    ['/id*}', /has an unmatched "\}"/],
    ['{a}}', /has an unmatched "\}"/],
    ['a b', /contains the character " ": percent-encode it/],
    ['a"b', /contains the character "\\""/],
    ['a\nb', /contains the character "\\n"/],
    ['<a>', /contains the character "<"/],
    ['a\\b|c^`', /contains the character "\\\\"/],
    ['100%', /contains the character "%"/],
    ['%zz', /contains the character "%"/],
    ['a\ud800', /contains the character "\\ud800"/],
    ['a%ff', /encodes bytes that are not UTF-8/],
    ['{%ff}', /encodes bytes that are not UTF-8/],
    ['{}', /has the variable ""/],
    ['{?}', /has the variable ""/],
    ['{a,}', /has the variable ""/],
    ['{{a}}', /has the variable "\{a"/],
    ['{/?id}', /has the variable "\?id"/],
    ['{??hello}', /has the variable "\?hello"/],
    ['{var:prefix}', /has the variable "var:prefix"/],
    ['{var:0}', /has the variable "var:0"/],
    ['{var:10000}', /has the variable "var:10000"/],
    ['{hello:2*}', /has the variable "hello:2\*"/],
    ['{keys*:1}', /has the variable "keys\*:1"/],
    ['{?empty=default,var}', /has the variable "empty=default"/],
    ['{-prefix|/-/|var}', /has the variable "-prefix\|\/-\/\|var"/],
    ['{hello+}', /has the variable "hello\+"/],
    ['{~thing}', /has the variable "~thing"/],
    ['{a..b}', /has the variable "a\.\.b"/],
    ['{x.}', /has the variable "x\."/],
    ['{?x, y}', /has the variable " y"/],
    ['{a%2}', /has the variable "a%2"/],
    ['{café}', /has the variable "café"/],
    ['{x\n}', /has the variable "x\\n"/],
    ['{=path}', /has the operator "=": use one of/],
    ['{!hello}', /has the operator "!"/],
    ['{@a}', /has the operator "@"/],
    ['{|var*}', /has the operator "\|"/],
    ['{,a}', /has the operator ","/],
    ['{$var}', /has the variable "\$var"/],
  ])('may not be %j, and the error says why (CORE-03)', (template, explanation) => {
    expect(() => new UriTemplate(template)).toThrow(UriTemplateError);
    expect(() => new UriTemplate(template)).toThrow(explanation);
  });

  it('has 1000 characters at most (CORE-03)', () => {
    expect(new UriTemplate('a'.repeat(1000)).variables).toEqual([]);
    expect(() => new UriTemplate('a'.repeat(1001))).toThrow(
      /^The URI template "a{200}…" has 1001 characters/,
    );
  });
});
