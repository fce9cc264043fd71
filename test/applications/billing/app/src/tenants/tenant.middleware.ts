import type { NestMiddleware } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Puts the tenant on the request, as a host name or a token would name it. */
export class TenantMiddleware implements NestMiddleware {
  use(request: IncomingMessage & { tenant?: string }, _response: ServerResponse, next: () => void) {
    request.tenant = request.headers['x-tenant'] as string | undefined;
    next();
  }
}
