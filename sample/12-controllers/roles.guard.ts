import { Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

/** A real shop has a table of keys. */
const ROLES: ReadonlyMap<string | undefined, string> = new Map([['staff-key', 'staff']]);

/** Only callers with this role may call the route. */
export const RequireRole = (role: string) => SetMetadata('role', role);

/** Recognizes callers by the key that they send as a header. */
@Injectable()
export class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const required = this.reflector.get<string | undefined>('role', context.getHandler());
    const { headers } = context.switchToHttp().getRequest<{ headers: { 'x-api-key'?: string } }>();
    return required === undefined || ROLES.get(headers['x-api-key']) === required;
  }
}
