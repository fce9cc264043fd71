/** A class of guards, interceptors, pipes or filters. Instances of its subclasses count too. */
export type EnhancerClass = abstract new (...dependencies: never[]) => object;

/** `true` for all of a kind, `false` for none, or classes of the application. */
export type EnhancerChoice =
  boolean | { readonly only: readonly EnhancerClass[] } | { readonly except: readonly EnhancerClass[] };

/**
 * Which global enhancers of the application run on handlers.
 *
 * @example
 * { guards: true, interceptors: { except: [TransformInterceptor] } }
 */
export interface GlobalEnhancersOptions {
  /** Guards. @default false */
  readonly guards?: EnhancerChoice;
  /** Interceptors. Serializers such as `ClassSerializerInterceptor` run in any case, unless `except` names them. @default false */
  readonly interceptors?: EnhancerChoice;
  /** Pipes. @default false */
  readonly pipes?: EnhancerChoice;
  /** Exception filters. @default false */
  readonly filters?: EnhancerChoice;
}
