import { AsyncLocalStorage } from 'node:async_hooks';

/** Storages of asynchronous context that are in use. As long as there is one, Node watches every promise of the process. */
const storages = new Set();

noteStorages('run');
noteStorages('enterWith');

/**
 * Remembers what a suite may change of its process.
 *
 * @returns {() => void} puts it back
 */
export function keepProcess() {
  const restoreEnvironment = keepProperties(process.env);
  const restoreListeners = keepListeners();
  const { console } = globalThis;
  const { exit } = process;
  const folder = process.cwd();

  return () => {
    restoreEnvironment();
    restoreListeners();
    switchStoragesOff();
    // Jest has its own in the place of both while a suite runs.
    Object.assign(globalThis, { console });
    Object.assign(process, { exit });
    if (process.cwd() !== folder) process.chdir(folder);
  };
}

/**
 * Remembers the own properties of an object.
 *
 * @param {object} object
 * @returns {() => void} puts them back, and removes what has been added
 */
export function keepProperties(object) {
  const before = new Map(Reflect.ownKeys(object).map((key) => [key, describe(object, key)]));
  return () => {
    for (const key of Reflect.ownKeys(object)) if (!before.has(key)) Reflect.deleteProperty(object, key);
    for (const [key, descriptor] of before)
      if (!isSame(descriptor, describe(object, key))) Reflect.defineProperty(object, key, descriptor);
  };
}

function describe(object, key) {
  return Reflect.getOwnPropertyDescriptor(object, key);
}

function isSame(before, now) {
  return now !== undefined && ['value', 'get', 'set'].every((part) => Object.is(before[part], now[part]));
}

/** Has a method that switches a storage on note it. */
function noteStorages(name) {
  const method = AsyncLocalStorage.prototype[name];
  AsyncLocalStorage.prototype[name] = function (...args) {
    storages.add(this);
    return method.apply(this, args);
  };
}

/** They go on again by themselves when they are used. */
function switchStoragesOff() {
  for (const storage of storages) storage.disable();
  storages.clear();
}

function keepListeners() {
  const before = new Map(process.eventNames().map((event) => [event, process.rawListeners(event)]));
  return () => {
    for (const event of new Set([...before.keys(), ...process.eventNames()])) {
      const kept = before.get(event) ?? [];
      const now = process.rawListeners(event);
      for (const listener of now) if (!kept.includes(listener)) process.removeListener(event, listener);
      for (const listener of kept) if (!now.includes(listener)) process.on(event, listener);
    }
  };
}
