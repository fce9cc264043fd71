import type { Dice } from '../support/dice.js';

const META =
  '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}';

/** Messages of all kinds, to be spoilt. */
const MESSAGES = [
  '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  '{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"greet","arguments":{}}}',
  `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"greet","arguments":{},${META}}}`,
  `{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":"dG9vbHM6MQ",${META}}}`,
  '{"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"cursor":"x"}}',
  '{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"desk://nothing"}}',
  '{"jsonrpc":"2.0","id":6,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}',
  '{"jsonrpc":"2.0","id":7,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"a"},"argument":{"name":"b","value":"c"}}}',
  '{"jsonrpc":"2.0","id":8,"method":"logging/setLevel","params":{"level":"info"}}',
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
  '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}',
  '{"jsonrpc":"2.0","id":9,"result":{}}',
  '{"jsonrpc":"2.0","id":10,"error":{"code":-32600,"message":"x"}}',
  '[{"jsonrpc":"2.0","id":11,"method":"ping"},{"jsonrpc":"2.0","method":"a"}]',
];

/** What a member may be in the place of what it should be. */
const VALUES = [
  'null',
  'true',
  '-1',
  '1.5',
  '1e999',
  '9007199254740993',
  '""',
  '"\\ud800"',
  '"__proto__"',
  '[]',
  '[[[[[[]]]]]]',
  '{}',
  '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}',
];

const VALUE = /(?<=":)(?:"[^"]*"|\d+|\{\}|\[\])/g;

type Spoil = (message: string, dice: Dice) => string;

const SPOILS: readonly Spoil[] = [
  (message) => message,
  replaceValues,
  replaceValues,
  replaceValues,
  (message, dice) => message.slice(0, dice.throw(message.length)),
  (message, dice) => splice(message, dice, dice.noise(8)),
  (message, dice) => splice(message, dice, dice.pick(VALUES)),
  (message, dice) => splice(message, dice, dice.pick(['{', '}', '[', ']', ',', ':', '"', '\\', '\0', '\n'])),
  (message, dice) =>
    message.replace(/"(jsonrpc|id|method|params)"/, () => `"${dice.pick(['x', '__proto__', 'ID'])}"`),
  (message, dice) => `[${Array.from({ length: dice.throw(120) }, () => message).join(',')}]`,
  (message, dice) => `${message}${dice.pick([message, ' ', '\n', ',', 'x'])}`,
  (_message, dice) => dice.noise(400),
  (_message, dice) => dice.pick(['[', '{"a":', '[[],']).repeat(dice.throw(8000)),
  (_message, dice) => dice.pick([...VALUES, '', ' ', '\ufeff{}', '"a"', '[1]', '[null]', '[[]]', '0']),
  (message, dice) =>
    message.replace(/"params":\{/, () => `"params":{"x":"${'é'.repeat(dice.throw(40_000))}",`),
];

/** Gives a body that may be malformed in whatever way. */
export function makeBody(dice: Dice): Buffer {
  const body = dice.pick(SPOILS)(dice.pick(MESSAGES), dice);
  return Buffer.from(body, dice.throw(8) === 0 ? 'latin1' : 'utf8');
}

function replaceValues(message: string, dice: Dice): string {
  const most = 1 + dice.throw(3);
  let replaced = 0;
  return message.replace(VALUE, (value) => {
    if (replaced === most || dice.throw(3) > 0) return value;
    replaced += 1;
    return dice.pick(VALUES);
  });
}

function splice(message: string, dice: Dice, piece: string): string {
  const at = dice.throw(message.length);
  return message.slice(0, at) + piece + message.slice(at + dice.throw(4));
}
