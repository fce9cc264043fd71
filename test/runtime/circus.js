import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

let pristine;

/**
 * Loads jest's framework once, and has it forget what the suite before has declared. To load it for each suite would leave a storage for
 * asynchronous context behind each time, which every promise from then on has to carry.
 */
export function loadCircus(path) {
  const circus = require(path);
  const symbol = Object.getOwnPropertySymbols(globalThis).find(
    (key) => key.description === 'JEST_STATE_SYMBOL',
  );
  const handlers = globalThis[Symbol.for('EVENT_HANDLERS')];
  pristine ??= { state: globalThis[symbol], handlers: [...handlers] };
  globalThis[symbol] = copyState(pristine.state);
  handlers.splice(0, handlers.length, ...pristine.handlers);
  return circus;
}

/** Copies the state with what refers to itself in it; maps by object are empty at the beginning. */
function copyState(state) {
  const entries = Object.entries(state);
  const weak = entries.filter(([, value]) => value instanceof WeakMap);
  const plain = entries.filter(([, value]) => !(value instanceof WeakMap));
  return {
    ...structuredClone(Object.fromEntries(plain)),
    ...Object.fromEntries(weak.map(([key]) => [key, new WeakMap()])),
  };
}
