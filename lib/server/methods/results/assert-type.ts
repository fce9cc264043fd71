import { isObject } from '../../../core/protocol/json-rpc.js';
import { HandlerResultError } from './handler-result.error.js';

/**
 * Checks a member that a result may have or lack.
 *
 * @throws {HandlerResultError} if it is there and of another type
 */
export function assertType(
  value: unknown,
  type: 'boolean' | 'number' | 'string' | 'object',
  member: string,
): void {
  if (value === undefined || (type === 'object' ? isObject(value) : typeof value === type)) return;
  const expected = type === 'object' ? 'an object' : `a ${type}`;
  throw new HandlerResultError(`The member "${member}" of the result must be ${expected}`);
}
