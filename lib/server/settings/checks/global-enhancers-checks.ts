import {
  assertMembers,
  either,
  fail,
  flag,
  list,
  members,
  type Check,
} from '../../../core/checks/option-checks.js';

const enhancerClass: Check = (option, value) => {
  if (typeof value !== 'function') fail(option, 'must be a class, such as LoggingInterceptor');
};

const LISTS: Check = (option, value) => {
  assertMembers(option, value, { only: list(enhancerClass), except: list(enhancerClass) });
  const { only, except } = value as { readonly only?: unknown; readonly except?: unknown };
  if ((only === undefined) === (except === undefined)) {
    fail(option, 'must have one of "only" and "except", each a list of classes');
  }
};

const CHOICE = either('boolean', flag, LISTS);

/** Checks which global enhancers run on handlers. Whether the application has them is known when it starts. */
export const globalEnhancers: Check = either(
  'boolean',
  flag,
  members({ guards: CHOICE, interceptors: CHOICE, pipes: CHOICE, filters: CHOICE }),
);
