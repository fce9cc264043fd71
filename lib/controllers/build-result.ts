import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';
import { findJson, isObject } from '../core/protocol/json-rpc.js';
import { ToolError } from '../server/context/tool-errors.js';
import type { RoutedResponse } from './dispatch/route-dispatcher.js';

/** A route, as named in messages. */
export interface NamedRoute {
  readonly method: string;
  readonly path: string;
  /** Whether results must match an output schema. */
  readonly isChecked: boolean;
}

/** Thrown if a success response came from something other than the route. */
class RouteMismatchError extends Error {
  override readonly name = 'RouteMismatchError';
}

/** Thrown if a route responded with status 500 or above; callers must not see the body. */
class RouteFailureError extends Error {
  override readonly name = 'RouteFailureError';
}

/** The lowest status whose details are hidden from callers. */
const SERVER_ERROR = 500;
const CLIENT_ERROR = 400;
const REDIRECTION = 300;
const MOST_LOGGED = 500;

/**
 * Builds a tool result from its route's response.
 *
 * @throws {HttpException} if the route rejected the request, with its status and body
 * @throws {RouteFailureError} if the route failed
 * @throws {ToolError} if a result cannot contain the response
 */
export function buildResult(response: RoutedResponse, route: NamedRoute): unknown {
  const { status, isReached, location } = response;
  if (status >= CLIENT_ERROR) throw buildFailure(response, route);
  if (!isReached) {
    throw new RouteMismatchError(
      `The request to "${route.method} ${route.path}" received a ${status} response from something other than its route, such as middleware or a different handler`,
    );
  }
  if (status >= REDIRECTION)
    throw new ToolError(
      `The route responded with a redirect${location === undefined ? '' : ` to ${location}`}`,
    );
  return buildContent(response, route);
}

function buildFailure({ status, body, contentType }: RoutedResponse, { method, path }: NamedRoute): Error {
  const text = body.toString();
  if (status >= SERVER_ERROR) {
    return new RouteFailureError(
      `"${method} ${path}" responded with ${status}: ${text.slice(0, MOST_LOGGED)}`,
    );
  }
  const parsed = isJson(contentType) ? findJson(text) : undefined;
  const isText = contentType.startsWith('text/') && !contentType.startsWith('text/html') && text !== '';
  const shown = parsed ?? (isText ? text : (STATUS_CODES[status] ?? `Status ${status}`));
  return new HttpException(isObject(shown) || typeof shown === 'string' ? shown : text, status);
}

function buildContent({ body, contentType }: RoutedResponse, { method, isChecked }: NamedRoute): unknown {
  // Nest sends an empty body for both "null" and "undefined". After a read, it means that nothing was found.
  if (body.length === 0) return method === 'GET' ? null : undefined;
  const text = body.toString();
  if (isJson(contentType)) {
    const parsed = findJson(text);
    if (isChecked) return parsed;
    return {
      content: [{ type: 'text', text }],
      ...(typeof parsed === 'object' && parsed !== null && { structuredContent: parsed }),
    };
  }
  if (contentType === '' || contentType.startsWith('text/')) return { content: [{ type: 'text', text }] };
  const [type] = contentType.split(';');
  const kind = /^(image|audio)\//.exec(contentType)?.[1];
  if (kind !== undefined) return { content: [{ type: kind, data: body.toString('base64'), mimeType: type }] };
  throw new ToolError(`The response has the media type "${type}", which a tool cannot return`);
}

function isJson(contentType: string): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\b/.test(contentType);
}
