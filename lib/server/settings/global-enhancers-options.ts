import { assertProperties, type Check, either, fail, flag, list } from '../../core/checks/option-checks.js';
import { optionGroup, type Settings } from '../../core/checks/option-group.js';

/** A guard, interceptor, pipe or filter class. Instances of its subclasses count too. */
export type EnhancerClass = abstract new (...dependencies: never[]) => object;

/** `true` for all of a kind, `false` for none, or application classes. */
export type EnhancerChoice =
  boolean | { readonly only: readonly EnhancerClass[] } | { readonly except: readonly EnhancerClass[] };

/**
 * Which of the application's global enhancers run on handlers.
 *
 * @example
 * { guards: true, interceptors: { except: [TransformInterceptor] } }
 */
export interface GlobalEnhancersOptions {
  /** Guards. @default false */
  readonly guards?: EnhancerChoice;
  /**
   * Interceptors. Serializers such as `ClassSerializerInterceptor` always run, unless `except` names them.
   * @default false
   */
  readonly interceptors?: EnhancerChoice;
  /** Pipes. @default false */
  readonly pipes?: EnhancerChoice;
  /** Exception filters. @default false */
  readonly filters?: EnhancerChoice;
}

/** A choice for each kind. */
export type GlobalEnhancersSettings = Settings<GlobalEnhancersOptions>;

const enhancerClass: Check = (option, value) => {
  if (typeof value !== 'function') fail(option, 'must be a class, such as LoggingInterceptor');
};

const LISTS: Check = (option, value) => {
  assertProperties(option, value, { only: list(enhancerClass), except: list(enhancerClass) });
  const { only, except } = value as { readonly only?: unknown; readonly except?: unknown };
  if ((only === undefined) === (except === undefined)) {
    fail(option, 'must have either "only" or "except", each a list of classes');
  }
};

const CHOICE = either('boolean', flag, LISTS);

/** Which global enhancers run on handlers. Whether the application has them is known only when it starts. */
export const GLOBAL_ENHANCERS = optionGroup<GlobalEnhancersOptions>({
  guards: [CHOICE, false],
  interceptors: [CHOICE, false],
  pipes: [CHOICE, false],
  filters: [CHOICE, false],
});

/** Returns the choice for each kind. */
export function buildGlobalEnhancers(options: boolean | GlobalEnhancersOptions): GlobalEnhancersSettings {
  if (typeof options !== 'boolean') return GLOBAL_ENHANCERS.build(options);
  return { guards: options, interceptors: options, pipes: options, filters: options };
}
