import { useEffect, useReducer } from 'preact/hooks';
import type { Store } from './store.js';

/** Rerenders a component after each store change. */
export function useStore(store: Store): void {
  const [, show] = useReducer<number, undefined>((count) => count + 1, 0);
  const { version } = store;
  useEffect(() => {
    // Effects run after rendering, and the store may have changed in the meantime.
    if (store.version !== version) show(undefined);
    return store.subscribe(() => show(undefined));
  }, [store]);
}
