import { useEffect, useReducer } from 'preact/hooks';
import type { Store } from './store.js';

/** Shows a component again after each change of a store. */
export function useStore(store: Store): void {
  const [, show] = useReducer<number, undefined>((count) => count + 1, 0);
  const { version } = store;
  useEffect(() => {
    // Effects come later than what is shown: the store may have changed between.
    if (store.version !== version) show(undefined);
    return store.subscribe(() => show(undefined));
  }, [store]);
}
