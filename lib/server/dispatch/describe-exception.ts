import { HttpStatus, type HttpException } from '@nestjs/common';
import { isObject } from '../../core/protocol/json-rpc.js';
import { FaultLines, readMember, readNames, readShown } from './fault-lines.js';

type Members = { readonly [name: string]: unknown };

/** Members of a response that say in words what happened. */
const HEADINGS: ReadonlySet<string> = new Set(['message', 'title', 'detail']);

/** Members that have the faults of fields, which say for themselves where they are. */
const COLLECTIONS: ReadonlySet<string> = new Set([
  ...['message', 'errors', 'issues', 'details', 'violations', 'validationErrors', 'fieldErrors'],
  ...['formErrors', 'invalid-params', 'invalidParams', 'invalid_params', 'error', 'data', 'properties'],
]);

/** Members that are about the request or the code, and say nothing of the fault. */
const ROUTINE: ReadonlySet<string> = new Set(['instance', 'timestamp', 'method', 'stack', 'cause', 'trace']);

/**
 * Returns the text of an exception for the caller: what its route would answer, a line for each fault. That is its
 * message, the findings of a validation, as lists or maps of fields, and the members of problem details. If the server is
 * at fault, it is the message alone.
 *
 * @see RFC 9457
 */
export function describeException(exception: HttpException): string {
  if (exception.getStatus() >= 500) return exception.message;
  const lines = new FaultLines();
  const response = readShown(exception.getResponse());
  if (isObject(response)) tellResponse(response, lines);
  else lines.addHeading(exception.message);
  if (lines.count === 0) tellKept(exception, lines);
  return lines.format() ?? exception.message;
}

function tellResponse(response: Members, lines: FaultLines): void {
  const issues = findIssues(response);
  if (issues !== undefined) return lines.add(issues);
  const names = readNames(response);
  for (const name of names) {
    const value = readMember(response, name);
    if (typeof value === 'string' && (HEADINGS.has(name) || isOwnError(name, value))) lines.addHeading(value);
  }
  for (const name of names) tellMember(name, readMember(response, name), lines);
}

/** A schema library keeps its issues in an error that shows them as one text, or does not show them. */
function findIssues(response: Members): readonly unknown[] | undefined {
  const issues = response instanceof Error ? readMember(response, 'issues') : undefined;
  return Array.isArray(issues) && issues.length > 0 ? issues : undefined;
}

function tellMember(name: string, value: unknown, lines: FaultLines): void {
  if (typeof value === 'string' && (HEADINGS.has(name) || name === 'error')) return;
  if (isRoutine(name, value)) return;
  if (name === 'error' && isObject(value)) return tellResponse(value, lines);
  if (COLLECTIONS.has(name)) lines.add(value);
  else lines.add(value, name);
}

/** Tells whether a member only repeats the status, or says where and when. */
function isRoutine(name: string, value: unknown): boolean {
  if (name === 'status' || name === 'statusCode') return /^(?:\d+|fail|error)$/.test(String(value));
  if (name === 'success' || name === 'ok') return typeof value === 'boolean';
  // Of problem details, it is the URI of a page; elsewhere, of the route.
  if (name === 'type' || name === 'path' || name === 'url') return /^about:|\//.test(String(value));
  return ROUTINE.has(name);
}

/** Nest gives the name of the status as the error. */
function isOwnError(name: string, text: string): boolean {
  const key = text.replaceAll(/[^a-z]+/gi, '_').toUpperCase();
  return name === 'error' && !(key in HttpStatus) && key !== 'I_M_A_TEAPOT';
}

/** What an exception keeps to itself is told only if it is a pipe's: the errors of class-validator. */
function tellKept(exception: HttpException, lines: FaultLines): void {
  const kept = readMember(exception, 'errors');
  if (!Array.isArray(kept)) return;
  lines.add(kept.filter((error) => isObject(error) && typeof error['property'] === 'string'));
}
