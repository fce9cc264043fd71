import { createRequire } from 'node:module';
import { CurrentStore } from './current-store.js';

const require = createRequire(import.meta.url);

let pristine;

/**
 * Loads jest's framework once, and has it forget what the suite before has declared. To load it for each suite would leave a storage for
 * asynchronous context behind each time, which every promise from then on has to carry.
 */
export function loadCircus(path) {
  const circus = requireWithoutHooks(path);
  const symbol = Object.getOwnPropertySymbols(globalThis).find(
    (key) => key.description === 'JEST_STATE_SYMBOL',
  );
  const handlers = globalThis[Symbol.for('EVENT_HANDLERS')];
  pristine ??= { state: globalThis[symbol], handlers: [...handlers] };
  globalThis[symbol] = copyState(pristine.state);
  handlers.splice(0, handlers.length, ...pristine.handlers);
  return circus;
}

/** The storage in which the framework keeps the test that runs would have Node watch every promise of the process. */
function requireWithoutHooks(path) {
  const hooks = require('node:async_hooks');
  // From Node 22 on it is a getter, which takes no other value.
  const original = Object.getOwnPropertyDescriptor(hooks, 'AsyncLocalStorage');
  Object.defineProperty(hooks, 'AsyncLocalStorage', { value: CurrentStore, configurable: true });
  try {
    return require(path);
  } finally {
    Object.defineProperty(hooks, 'AsyncLocalStorage', original);
  }
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
