import type { CallExpression, Node } from 'ts-morph';
import type { SourceMigration } from '../source/source-migration.js';

/** What tests of both common runners say of the arguments of a mock, with the argument at which these begin. */
const MATCHERS: Readonly<Record<string, number>> = {
  toHaveBeenCalledWith: 0,
  toHaveBeenLastCalledWith: 0,
  toHaveBeenNthCalledWith: 1,
  toBeCalledWith: 0,
  lastCalledWith: 0,
  nthCalledWith: 1,
};

/** What a test expects of a mock. */
export interface Expectation {
  readonly matcher: CallExpression;
  /** The expected arguments; nothing if only the number of calls is. */
  readonly expected: readonly Node[];
}

/** Finds what follows `expect(mock)`. Returns `undefined` if the mock is used otherwise. */
export function findExpectation({ facts }: SourceMigration, mock: Node): Expectation | undefined {
  const { Node: is } = facts.morph;
  const expecting = mock.getParent();
  const isExpecting = is.isCallExpression(expecting) && expecting.getExpression().getText() === 'expect';
  let access = isExpecting ? expecting.getParent() : undefined;
  while (is.isPropertyAccessExpression(access) && is.isPropertyAccessExpression(access.getParent()))
    access = access.getParent();
  const matcher = access?.getParent();
  if (!is.isPropertyAccessExpression(access) || !is.isCallExpression(matcher)) return undefined;
  const first = Object.hasOwn(MATCHERS, access.getName()) ? MATCHERS[access.getName()] : undefined;
  return { matcher, expected: first === undefined ? [] : matcher.getArguments().slice(first) };
}
