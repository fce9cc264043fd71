import type { NestInterceptor } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';
import { quoteAll } from '../../../core/words/quote-all.js';
import type {
  GlobalEnhancersSettings,
  EnhancerChoice,
  EnhancerClass,
} from '../../settings/global-enhancers-options.js';
import { McpConfigurationError } from '../../settings/mcp-configuration.error.js';
import { InstanceWrapper } from './nest-contexts.js';
import { isSerializer } from './serializers.js';

type Kind = keyof GlobalEnhancersSettings;

/** Each kind, as the methods of Nest's configuration name it. */
const KINDS = { guards: 'Guards', interceptors: 'Interceptors', pipes: 'Pipes', filters: 'Filters' } as const;

/**
 * The global enhancers of the application that run on handlers: those that "globalEnhancers" chooses, and serializers,
 * without which a handler would show what a route hides.
 */
export class GlobalEnhancers {
  /** Nest's configuration without what does not run. The application may register enhancers until it starts. */
  readonly config: ApplicationConfig;

  constructor(
    private readonly all: ApplicationConfig,
    private readonly choices: GlobalEnhancersSettings,
  ) {
    const getters = listKinds().flatMap((kind) => [
      [`getGlobal${KINDS[kind]}`, () => this.#choose(kind, listShared(all, kind))],
      [`getGlobalRequest${KINDS[kind]}`, () => this.#choose(kind, listScoped(all, kind))],
    ]);
    this.config = Object.assign(Object.create(all) as ApplicationConfig, Object.fromEntries(getters));
  }

  /** Whether any runs on handlers. */
  get isAny(): boolean {
    return listKinds().some((kind) => this.#choose(kind, listAll(this.all, kind)).length > 0);
  }

  /** The serializers that all calls share. */
  get serializers(): NestInterceptor[] {
    return this.config.getGlobalInterceptors().filter(isSerializer);
  }

  /** The serializers of which each call has its own. */
  get scopedSerializers(): readonly InstanceWrapper[] {
    return listScoped(this.config, 'interceptors').filter((wrapper) => isSerializer(classOf(wrapper)));
  }

  /** Those of which each call has its own. */
  get scoped(): readonly InstanceWrapper[] {
    return listKinds().flatMap((kind) => listScoped(this.config, kind));
  }

  /** Tells whether an interceptor is global. */
  isGlobal(interceptor: object): boolean {
    return listAll(this.all, 'interceptors').some(
      (one) =>
        one === interceptor || (one instanceof InstanceWrapper && classOf(one) === interceptor.constructor),
    );
  }

  /**
   * Makes sure that the application has all that is chosen by class.
   *
   * @throws {McpConfigurationError} for a class of which there is no global enhancer
   */
  assertPresent(): void {
    for (const kind of listKinds()) {
      const present = listAll(this.all, kind);
      const lists: [string, readonly EnhancerClass[]][] = Object.entries(readLists(this.choices[kind]));
      const named = lists.flatMap(([list, classes]) =>
        classes.map((classRef, index) => ({ list, classRef, index })),
      );
      const absent = named.find(({ classRef }) => !present.some((enhancer) => isOf(enhancer, classRef)));
      if (absent === undefined) continue;
      const known = present.length === 0 ? 'none' : quoteAll(present.map(nameOf));
      throw new McpConfigurationError(
        `globalEnhancers.${kind}.${absent.list}[${absent.index}]`,
        `is "${absent.classRef.name}", which is none of the global ${kind}: the application has ${known}`,
      );
    }
  }

  /** Names the global enhancers that do not run on handlers. Returns `undefined` if all of them do. */
  listLeftOut(): string | undefined {
    const left = listKinds().flatMap((kind) => {
      const names = listAll(this.all, kind)
        .filter((enhancer) => !this.#isChosen(kind, enhancer))
        .map(nameOf);
      return names.length === 0 ? [] : [`${kind} ${quoteAll(new Set(names))}`];
    });
    return left.length === 0 ? undefined : left.join('; ');
  }

  #choose<Enhancer extends object>(kind: Kind, enhancers: readonly Enhancer[]): Enhancer[] {
    return enhancers.filter((enhancer) => this.#isChosen(kind, enhancer));
  }

  #isChosen(kind: Kind, enhancer: object): boolean {
    const choice = this.choices[kind];
    const { only = [], except } = readLists(choice);
    if (except !== undefined) return !except.some((classRef) => isOf(enhancer, classRef));
    if (choice === true || only.some((classRef) => isOf(enhancer, classRef))) return true;
    return kind === 'interceptors' && isSerializer(classOf(enhancer));
  }
}

type ClassLists = Partial<Record<'only' | 'except', readonly EnhancerClass[]>>;

function readLists(choice: EnhancerChoice): ClassLists {
  return typeof choice === 'boolean' ? {} : choice;
}

function listKinds(): readonly Kind[] {
  return Object.keys(KINDS) as Kind[];
}

function listAll(config: ApplicationConfig, kind: Kind): readonly object[] {
  return [...listShared(config, kind), ...listScoped(config, kind)];
}

/** Lists the enhancers of which there is one instance. */
function listShared(config: ApplicationConfig, kind: Kind): readonly object[] {
  return config[`getGlobal${KINDS[kind]}`]();
}

/** Lists the providers of enhancers of which each call has its own. */
function listScoped(config: ApplicationConfig, kind: Kind): readonly InstanceWrapper[] {
  return config[`getGlobalRequest${KINDS[kind]}`]();
}

function isOf(enhancer: object, classRef: EnhancerClass): boolean {
  const own = classOf(enhancer);
  return own === classRef || own?.prototype instanceof classRef;
}

/** Returns the class of an instance, of a provider, or the class itself. What a factory makes for each call is not known. */
function classOf(enhancer: object): { readonly name: string; readonly prototype: unknown } | undefined {
  if (typeof enhancer === 'function') return enhancer;
  if (!(enhancer instanceof InstanceWrapper)) return enhancer.constructor;
  return enhancer.isNotMetatype ? undefined : (enhancer.metatype as EnhancerClass);
}

function nameOf(enhancer: object): string {
  const classRef = classOf(enhancer);
  if (classRef === undefined) return 'a factory';
  return classRef === Object || classRef.name === '' ? 'an object without a class' : classRef.name;
}
