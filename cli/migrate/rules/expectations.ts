import type { CallExpression, Node } from 'ts-morph';
import type { SourceMigration } from '../source/source-migration.js';

/** The matchers of Jest and Vitest for a mock's arguments, with the index of the first such argument. */
const MATCHERS: Readonly<Record<string, number>> = {
  toHaveBeenCalledWith: 0,
  toHaveBeenLastCalledWith: 0,
  toHaveBeenNthCalledWith: 1,
  toBeCalledWith: 0,
  lastCalledWith: 0,
  nthCalledWith: 1,
};

/** A test's expectation for a mock. */
export interface Expectation {
  readonly matcher: CallExpression;
  /** The expected arguments; none if the matcher checks only the calls. */
  readonly expected: readonly Node[];
}

/** Finds the matcher after `expect(mock)`. Returns `undefined` if the mock is used differently. */
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
