import type { HttpException } from '@nestjs/common';
import { isObject } from '../../core/protocol/json-rpc.js';
import { describeFailure } from '../context/describe-failure.js';

/** More than a model or a person reads. */
const MOST_DETAILS = 20;

/**
 * Gives what the caller is told of an exception: its message, and what validation found. Nest's own pipes put that into the
 * response as a list of messages, others keep it as `errors` beside a message that says no more than that something is wrong.
 */
export function describeException(exception: HttpException): string {
  const response: unknown = exception.getResponse();
  const messages = isObject(response) ? response['message'] : undefined;
  if (Array.isArray(messages)) {
    const lines = messages.flatMap((message) => describeDetail(message));
    return lines.length > 0 ? lines.join('\n') : describeFailure(exception).text;
  }
  const details = findDetails(response) ?? findDetails(exception) ?? [];
  return [exception.message, ...details.slice(0, MOST_DETAILS)].join('\n');
}

function findDetails(owner: unknown): readonly string[] | undefined {
  const errors = isObject(owner) ? owner['errors'] : undefined;
  return Array.isArray(errors) ? errors.flatMap((error) => describeDetail(error)) : undefined;
}

/** Reads a text, an issue of a schema library (`path`, `message`), or an error of class-validator (`constraints`, `children`). */
function describeDetail(detail: unknown, parent = ''): readonly string[] {
  if (typeof detail === 'string') return [detail];
  if (!isObject(detail)) return [];
  const { message, path, property, constraints, children } = detail;
  if (typeof message === 'string') return [`${formatPath(path)}${message}`];
  if (typeof property !== 'string') return [];
  const own = isObject(constraints) ? Object.values(constraints) : [];
  const inner = Array.isArray(children) ? children : [];
  return [
    ...own.filter((text) => typeof text === 'string').map((text) => `${parent}${text}`),
    ...inner.flatMap((child) => describeDetail(child, `${parent}${property}.`)),
  ];
}

function formatPath(path: unknown): string {
  return Array.isArray(path) && path.length > 0 ? `${path.map(String).join('.')}: ` : '';
}
