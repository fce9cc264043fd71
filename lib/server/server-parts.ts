import type { FactoryProvider, InjectionToken, Provider, Type } from '@nestjs/common';
import { findParameters } from './catalogue/discovery/find-dependencies.js';

/** How something is made: of what Nest injects, and of parts that Nest does not know. */
interface Recipe {
  readonly make: (...ingredients: never[]) => unknown;
  readonly ingredients: readonly Ingredient[];
}

type Ingredient = Part | Injected;

interface Part {
  readonly type: Type;
  readonly recipe: Recipe;
}

interface Injected {
  readonly token: InjectionToken;
  readonly isOptional: boolean;
}

/** The parts of one server that Nest does not know. Each is made once, along with the first that needs it. */
export class ServerParts {
  readonly #made = new Map<Type, unknown>();

  /** Finds a part; nothing if nothing has needed it. */
  find<Made>(type: Type<Made>): Made | undefined {
    return this.#made.get(type) as Made | undefined;
  }

  /** @param injected what Nest has injected, by its token */
  follow({ make, ingredients }: Recipe, injected: ReadonlyMap<unknown, unknown>): unknown {
    const found = ingredients.map((ingredient) =>
      'type' in ingredient ? this.#take(ingredient, injected) : injected.get(ingredient.token),
    );
    return make(...(found as never[]));
  }

  #take({ type, recipe }: Part, injected: ReadonlyMap<unknown, unknown>): unknown {
    const made = this.#made.get(type) ?? this.follow(recipe, injected);
    this.#made.set(type, made);
    return made;
  }
}

/**
 * Has Nest make only what it must know of a server. A class costs Nest a search for enhancers in all its methods, and several promises for
 * each of its parameters. With all classes, that is a quarter of what the module adds to a start. So a class without a lifecycle hook that
 * the server alone injects is made by the providers that need it. What nobody injects works by itself, and stays a provider.
 *
 * @param known the classes that Nest injects elsewhere, or that are asked for by class
 */
export function joinParts(providers: readonly Provider[], known: ReadonlySet<unknown>): readonly Provider[] {
  const classes = new Map(providers.filter(isClass).map((type) => [type, findParameters(type)]));
  const injected = new Set<unknown>([
    ...[...classes.values()].flat().map(({ token }) => token),
    ...providers.filter(isFactory).flatMap(({ inject = [] }) => inject),
  ]);
  const isHidden = (type: unknown): boolean =>
    isClass(type) && classes.has(type) && injected.has(type) && !known.has(type) && !hasHook(type);
  const parts = new Map<unknown, Part>();

  function buildIngredient({ token, isOptional }: Injected): Ingredient {
    return isHidden(token) ? buildPart(token as Type) : { token, isOptional };
  }

  function buildPart(type: Type): Part {
    const part = parts.get(type) ?? { type, recipe: buildRecipe(type) };
    parts.set(type, part);
    return part;
  }

  function buildRecipe(type: Type): Recipe {
    const ingredients = (classes.get(type) ?? []).map(({ token, isOptional }) =>
      buildIngredient({ token: token as InjectionToken, isOptional }),
    );
    return { make: (...given: never[]) => new type(...given), ingredients };
  }

  function provide(provider: Provider): readonly Provider[] {
    if (isClass(provider)) {
      return isHidden(provider) ? [] : [buildProvider(provider, buildRecipe(provider))];
    }
    if (!isFactory(provider)) return [provider];
    const { provide: token, useFactory: make, inject = [] } = provider;
    const ingredients = inject.map((given) =>
      buildIngredient({ token: given as InjectionToken, isOptional: false }),
    );
    return [buildProvider(token, { make, ingredients })];
  }

  return [{ provide: ServerParts, useFactory: () => new ServerParts() }, ...providers.flatMap(provide)];
}

/** Has Nest inject what all parts need together. */
function buildProvider(provide: InjectionToken, recipe: Recipe): FactoryProvider {
  const needed = new Map<InjectionToken, Injected>();
  collect(recipe, needed);
  const tokens = [...needed.keys()];
  return {
    provide,
    inject: [
      ServerParts,
      ...[...needed.values()].map(({ token, isOptional }) =>
        isOptional ? { token, optional: true } : token,
      ),
    ],
    useFactory: (parts: ServerParts, ...given: unknown[]) =>
      parts.follow(recipe, new Map(tokens.map((token, index) => [token, given[index]]))),
  };
}

function collect(recipe: Recipe, needed: Map<InjectionToken, Injected>, seen = new Set<Recipe>()): void {
  if (seen.has(recipe)) return;
  seen.add(recipe);
  for (const ingredient of recipe.ingredients) {
    if ('type' in ingredient) collect(ingredient.recipe, needed, seen);
    else if (needed.get(ingredient.token)?.isOptional !== false) needed.set(ingredient.token, ingredient);
  }
}

const HOOKS = [
  'onModuleInit',
  'onApplicationBootstrap',
  'onModuleDestroy',
  'beforeApplicationShutdown',
  'onApplicationShutdown',
];

function hasHook({ prototype }: Type): boolean {
  return HOOKS.some((hook) => hook in (prototype as object));
}

function isClass(provider: unknown): provider is Type {
  return typeof provider === 'function';
}

function isFactory(provider: Provider): provider is FactoryProvider {
  return !isClass(provider) && 'useFactory' in provider;
}
