import type { AbstractHttpAdapter } from '@nestjs/core';

/** The methods by which Nest's adapter for Express registers body parsers, and nothing else. */
type Registration = 'registerParserMiddleware' | 'useBodyParser';

/** An adapter, as far as it registers middleware. */
type Registering = Record<Registration | 'use', ((...given: unknown[]) => unknown) | undefined>;

/** How a middleware was registered. */
interface Origin {
  readonly name: Registration;
  readonly method: unknown;
}

/** The functions from which `useBodyParser()` creates parsers. It accepts other functions of Express too, such as `static`. */
const PARSED_KINDS: ReadonlySet<unknown> = new Set(['json', 'urlencoded', 'text', 'raw']);

const watched = new WeakMap<AbstractHttpAdapter, BodyParsers>();

/**
 * The body parsers that Nest's adapter for Express has registered. They are known by being the very functions: a name
 * says nothing of what a function does.
 */
export class BodyParsers {
  readonly #origins = new WeakMap<object, Origin>();
  /** Absent until it is known, or if the application has no such adapter. */
  #nest: Partial<Record<Registration, unknown>> | undefined;

  private constructor(private readonly adapter: AbstractHttpAdapter) {
    this.#watch('registerParserMiddleware', () => true);
    this.#watch('useBodyParser', (kind) => PARSED_KINDS.has(kind));
  }

  /** Watches the later registrations of an adapter. The servers of an application share what is found. */
  static watch(adapter: AbstractHttpAdapter): BodyParsers {
    const parsers = watched.get(adapter) ?? new BodyParsers(adapter);
    watched.set(adapter, parsers);
    return parsers;
  }

  /** Looks at Nest's own adapter: a class that derives from it may register what it likes. */
  async recognize(): Promise<void> {
    const loaded = await import('@nestjs/platform-express').catch(() => undefined);
    this.#nest = loaded?.ExpressAdapter.prototype;
  }

  /** Tells whether a middleware is one of them. One that somebody has wrapped is not. */
  has(middleware: object): boolean {
    const origin = this.#origins.get(middleware);
    return origin !== undefined && origin.method === this.#nest?.[origin.name];
  }

  #watch(name: Registration, isParser: (first: unknown) => boolean): void {
    const adapter = this.adapter as unknown as Registering;
    const method = adapter[name];
    if (method === undefined) return;
    adapter[name] = (...given) => {
      const act = (): unknown => Reflect.apply(method, adapter, given);
      return isParser(given[0]) ? this.#note({ name, method }, act) : act();
    };
  }

  /** Notes what is given to Express in the meantime. */
  #note(origin: Origin, act: () => unknown): unknown {
    const adapter = this.adapter as unknown as Registering;
    const present = Object.getOwnPropertyDescriptor(adapter, 'use');
    const { use } = adapter;
    adapter.use = (...given) => {
      for (const one of given) if (typeof one === 'function') this.#origins.set(one, origin);
      return use && Reflect.apply(use, adapter, given);
    };
    try {
      return act();
    } finally {
      if (present === undefined) Reflect.deleteProperty(adapter, 'use');
      else Object.defineProperty(adapter, 'use', present);
    }
  }
}
