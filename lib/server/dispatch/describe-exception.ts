import type { HttpException } from '@nestjs/common';
import { isObject } from '../../core/protocol/json-rpc.js';

/** More than a model or a person reads. */
const MOST_DETAILS = 20;

/**
 * Returns the text of an exception for the caller: its message, and the findings of a validation. Nest's own pipes put
 * the details into the response as a list of messages. Other pipes keep them as `errors`, next to a general message.
 */
export function describeException(exception: HttpException): string {
  const response: unknown = exception.getResponse();
  const messages = isObject(response) ? listMembers(response['message']) : undefined;
  if (messages !== undefined) return formatLines(messages.flatMap(describeIssue)) ?? exception.message;
  const issues = isObject(response) ? listMembers(response['errors']) : undefined;
  // What an exception keeps to itself is told only if it is a pipe's.
  const details =
    issues?.flatMap(describeIssue) ?? findKept(exception).flatMap((error) => describeFault(error));
  return [exception.message, ...details.slice(0, MOST_DETAILS)].join('\n');
}

function listMembers(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

function formatLines(lines: readonly string[]): string | undefined {
  return lines.length === 0 ? undefined : lines.join('\n');
}

function findKept(exception: object): readonly unknown[] {
  return ('errors' in exception && listMembers(exception.errors)) || [];
}

/** Reads a text, an issue of a schema library, or an error of class-validator. */
function describeIssue(issue: unknown): readonly string[] {
  if (typeof issue === 'string') return [issue];
  if (!isObject(issue) || typeof issue['message'] !== 'string') return describeFault(issue);
  const path = listMembers(issue['path']) ?? [];
  return [`${path.length === 0 ? '' : `${path.map(String).join('.')}: `}${issue['message']}`];
}

/** Reads an error of class-validator, whose inner ones have the names of the outer in front, as Nest writes them. */
function describeFault(fault: unknown, parent = ''): readonly string[] {
  if (!isObject(fault) || typeof fault['property'] !== 'string') return [];
  const { property, constraints, children } = fault;
  const own = isObject(constraints) ? Object.values(constraints) : [];
  return [
    ...own.filter((text) => typeof text === 'string').map((text) => `${parent}${text}`),
    ...(listMembers(children) ?? []).flatMap((child) => describeFault(child, `${parent}${property}.`)),
  ];
}
