import type { Client } from '@modelcontextprotocol/client';

/** Does work that counts until it has settled. */
export type CountWork = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Gives the official client to those who call its methods themselves. Each promise of a method counts as work under way,
 * however many requests it makes.
 */
export function createCountedClient(client: Client, count: CountWork): Client {
  return new Proxy(client, {
    get(target, member) {
      const value: unknown = Reflect.get(target, member);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const given: unknown = Reflect.apply(value, target, args);
        return given instanceof Promise ? count(() => given) : given;
      };
    },
  });
}
